// SPDX-License-Identifier: BSL-1.0
// Bellman–Ford from as many sources as fill a device, whose vertices pull along many arcs at a
// time, against Boost's algorithms or sums from each source: weight types x numbers of sources x
// graphs with more than 32 arcs per vertex for each way through the search (16 bits, distances that
// do not fit them, vertices of few arcs, arcs that are dropped, negative weights, cutoffs).
#define BOOST_TEST_MODULE many_sources
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source_problem.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using number = std::int64_t;
using arcs_t = arc_list<number>;
using problem = per_source_problem;

constexpr std::size_t num_vertices = 160;

/// So many sources that tiles with the widest rows fill a device; the last one is not full.
template <class Policy>
constexpr std::size_t many = is_slow<Policy> ? 200 : 9001;

arcs_t many_arcs(number heaviest, std::uint64_t seed) {
  return to_arcs<number>(fixed_degree_graph<std::int32_t>(
      num_vertices, 40, static_cast<std::int32_t>(heaviest), seed));
}

/// A path from vertex 0 to new vertices.
arcs_t with_path(arcs_t g, number length, number heaviest) {
  std::size_t last = 0;
  for (number left = length; left > 0; left -= heaviest) {
    g.add(last, g.n, std::min(left, heaviest));
    last = g.n++;
  }
  return g;
}

/// A dense graph, and vertices with up to nine arcs into each and one out of it.
arcs_t dense_with_others(std::size_t num_dense, std::size_t num_others, std::uint64_t seed) {
  arcs_t g = random_graph<number>(num_dense, 0.95, 1, 5000, seed);
  g.n += num_others;
  random_numbers random(seed + 1);
  for (std::size_t v = num_dense; v < g.n; ++v) {
    for (std::size_t k = 0; k < v % 10; ++k) g.add(random.index(g.n), v, random(1, 400));
    g.add(v, random.index(num_dense), random(1, 400));
  }
  return g;
}

const std::vector<problem>& problems() {
  static const std::vector<problem> all = [] {
    std::vector<problem> made;
    made.emplace_back("short weights", many_arcs(1000, 1));
    made.emplace_back("weights beyond 16 bits", many_arcs(100'000, 2));
    made.emplace_back("weights that are 0 often", many_arcs(2, 3));
    for (number& w : made.back().arcs.weights) w -= 1;
    made.back() = problem(made.back().name, made.back().arcs);
    made.emplace_back("a distance that 16 bits hold", with_path(many_arcs(50, 4), 49'000, 8191));
    made.emplace_back("a distance that 16 bits do not hold",
                      with_path(many_arcs(50, 5), 70'000, 8191));
    made.emplace_back("dense", random_graph<number>(97, 0.9, 1, 60, 6));
    made.emplace_back("parallel arcs and loops",
                      with_parallel_arcs(random_graph<number>(129, 0.4, 0, 60, 7), 7));
    made.emplace_back("vertices of few arcs", dense_with_others(120, 200, 8));
    made.emplace_back("negative weights", negative_graph<number>(130, 0.5, 8));
    return made;
  }();
  return all;
}

/// The sources of a problem again and again.
std::vector<std::size_t> repeated(const problem& p, std::size_t count) {
  std::vector<std::size_t> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = p.sources[i % p.sources.size()];
  return sources;
}

template <class T>
std::vector<T> expected_row(const problem& p, std::size_t i) {
  std::vector<T> row(p.arcs.n);
  for (std::size_t v = 0; v < p.arcs.n; ++v) {
    const number d = p.expected[i % p.sources.size()][v];
    row[v] = d == wide_unreachable<number> ? apsp::unreachable<T> : static_cast<T>(d);
  }
  return row;
}

template <class T>
void check_rows_of(const problem& p, const apsp::matrix<T>& distances) {
  for (std::size_t i = 0; i < distances.rows(); ++i) {
    const std::vector<T> expected = expected_row<T>(p, i);
    if (std::equal(expected.begin(), expected.end(), distances[i])) continue;
    BOOST_ERROR("row " << i << " differs");
    return;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_and_predecessors, Policy, policies_and_weights) {
  using T = typename Policy::weight;
  for (const problem& p : problems()) {
    const arc_list<T> g = converted<T>(p.arcs);
    const auto lightest = lightest_arcs(g);
    for (const std::size_t count : {std::size_t{65}, many<Policy>}) {
      BOOST_TEST_CONTEXT(p.name << ", " << count << " sources") {
        const auto sources = repeated(p, count);
        apsp::matrix<T> distances(count, g.n);
        const auto done = apsp::bellman_ford(Policy::policy(), g.view(), sources, distances);
        BOOST_CHECK(done);
        BOOST_CHECK(!done.saturated());
        // 65 sources do not fill a device, which then does not pull.
        if (done.executed_on() == apsp::backend::cuda_tiled && count != 65) {
          const auto type = done.plan().computed().type;
          if (p.name == "short weights") BOOST_CHECK_EQUAL(type, "uint16");
          if (p.name == "a distance that 16 bits do not hold") BOOST_CHECK_NE(type, "uint16");
        }
        check_rows_of(p, distances);
        apsp::matrix<std::int32_t> predecessors(count, g.n);
        BOOST_CHECK(
            apsp::bellman_ford(Policy::policy(), g.view(), sources, distances, predecessors));
        check_rows_of(p, distances);
        check_trees<T>(lightest, sources, distances, predecessors);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, Policy, policies_and_weights) {
  using T = typename Policy::weight;
  for (const std::size_t i : {0, 3, 4}) {
    problem p = problems()[i];
    const wide_rows<number> all = p.expected;
    const arc_list<T> g = converted<T>(p.arcs);
    const auto sources = repeated(p, many<Policy>);
    for (const long double cutoff : {0.0L, 57.5L, 300.0L, 48'000.0L, 60'000.0L}) {
      BOOST_TEST_CONTEXT(p.name << ", cutoff " << cutoff) {
        p.expected = within<number>(all, cutoff);
        apsp::matrix<T> distances(sources.size(), g.n);
        BOOST_CHECK(
            apsp::bellman_ford(Policy::policy().cutoff(cutoff), g.view(), sources, distances));
        check_rows_of(p, distances);
      }
    }
  }
}

// So many rows that arcs are dropped: with exact sums, in 16 bits or not, and with sums that round,
// which have the bits of sums from the source.
BOOST_AUTO_TEST_CASE_TEMPLATE(arcs_that_are_dropped, Policy, policies_and_weights) {
  using T = typename Policy::weight;
  constexpr std::size_t n = 2000;
  constexpr std::size_t num_rows = is_slow<Policy> ? 200 : 34'000;
  for (const double factor : {1.0, 1000.0, 0.001}) {
    arc_list<T> g = converted<T>(to_arcs<number>(rmat_graph<std::int32_t>(n, 40, 1000, 10)));
    if (std::is_integral_v<T> && factor < 1) continue;
    for (T& w : g.weights) w = static_cast<T>(static_cast<double>(w) * factor);
    apsp::matrix<T> distances(num_rows, n);
    std::vector<std::size_t> sources(num_rows);
    for (std::size_t i = 0; i < num_rows; ++i) sources[i] = i % n;
    BOOST_TEST_CONTEXT("weights times " << factor) {
      const auto done = apsp::bellman_ford(Policy::policy(), g.view(), sources, distances);
      BOOST_CHECK(done);
      const bool has_exact_sums = std::is_integral_v<T> || factor == 1;
      if (done.executed_on() == apsp::backend::cuda_tiled && has_exact_sums) {
        BOOST_CHECK_GT(done.plan().computed().arcs_left_out, 0u);
      }
      std::size_t num_wrong = 0;
      for (std::size_t source = 0; source < n; source += 97) {
        const std::vector<T> expected = summed_from(g, source);
        for (std::size_t i = source; i < num_rows; i += n) {
          num_wrong += std::equal(expected.begin(), expected.end(), distances[i]) ? 0 : 1;
        }
      }
      BOOST_CHECK_EQUAL(num_wrong, 0u);
    }
  }
}
