// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <apsp/result.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "failing_allocations.hpp"
#include "generators.hpp"
#include "graphs.hpp"
#include "oracle.hpp"
#include "per_source.hpp"
#include "policies.hpp"

// Helpers of the tests of failing allocations: graphs with known results.
namespace apsp_test {

using host_policies = std::tuple<seq, omp_3_threads>;

/// Several tiles of the host's Floyd–Warshall, so that threads share the work.
inline constexpr std::size_t many_vertices = 300;

template <class T>
struct matrices {
  apsp::matrix<T> distances;
  apsp::matrix<std::int32_t> predecessors;
  bool operator==(const matrices&) const = default;
};

/// A graph, some sources, and the expected results.
template <class T>
struct known_graph {
  explicit known_graph(arc_list<T> g) : known_graph(g, all_vertices(g.n)) {}
  known_graph(arc_list<T> g, std::vector<std::size_t> from)
      : arcs(std::move(g)),
        sources(std::move(from)),
        expected(*oracle_rows(arcs, sources)),
        lightest(lightest_arcs(arcs)) {}

  auto view() const { return arcs.view(); }
  csr_arrays<T> arcs_in_rows() const { return in_rows(arcs); }
  matrices<T> results() const {
    return {apsp::matrix<T>(sources.size(), arcs.n, T{42}),
            apsp::matrix<std::int32_t>(sources.size(), arcs.n, 42)};
  }
  void check(const apsp::result& done, const apsp::matrix<T>& distances) const {
    BOOST_REQUIRE(done);
    if (distances == right_.distances) return;
    check_rows<T>(expected, distances);
    right_.distances = distances;
  }
  void check(const apsp::result& done, const matrices<T>& all) const {
    BOOST_REQUIRE(done);
    if (all == right_) return;
    check(done, all.distances);
    check_trees<T>(lightest, sources, all.distances, all.predecessors);
    right_.predecessors = all.predecessors;
  }

  arc_list<T> arcs;
  std::vector<std::size_t> sources;
  wide_rows<T> expected;
  apsp::matrix<wide_t<T>> lightest;

 private:
  /// Results that were found to be correct: comparing with them is faster.
  mutable matrices<T> right_;
};

/// Checks call(distances) and call(distances, predecessors), which both return a result.
template <class T, class Call>
void check_with_and_without_predecessors(const known_graph<T>& g, results promised,
                                         results promised_with_predecessors, Call call) {
  auto all = g.results();
  check_every_failure(
      all, promised, [&] { return call(all.distances); },
      [&](const apsp::result& done) { g.check(done, all.distances); });
  check_every_failure(
      all, promised_with_predecessors, [&] { return call(all.distances, all.predecessors); },
      [&](const apsp::result& done) { g.check(done, all); });
}

}  // namespace apsp_test
