// SPDX-License-Identifier: BSL-1.0
// Tests of sparse graphs whose arrays share memory with a result, which is refused.
#define BOOST_TEST_MODULE shared_arrays
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <apsp/weighted.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

using host_policies = std::tuple<seq, omp_3_threads>;

namespace {

/// Arrays in the memory of a matrix, each of which begins in another row.
class arrays_in {
 public:
  explicit arrays_in(apsp::matrix<std::int32_t>& m) : memory_(m.data(), m.rows() * m.cols()) {}

  /// A copy there if @p is_there, otherwise in memory of its own.
  template <class T>
  std::span<const std::int32_t> place(const std::vector<T>& values, bool is_there) {
    std::span<std::int32_t> to;
    if (is_there) {
      BOOST_REQUIRE_LE(used_ + values.size(), memory_.size());
      to = memory_.subspan(used_, values.size());
      used_ += values.size() + 7;
    } else {
      to = own_.emplace_back(values.size());
    }
    std::transform(values.begin(), values.end(), to.begin(),
                   [](const T& x) { return static_cast<std::int32_t>(x); });
    return to;
  }

 private:
  std::span<std::int32_t> memory_;
  std::size_t used_ = 5;
  std::list<std::vector<std::int32_t>> own_;
};

/// The arcs by source.
struct compressed_rows {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> targets;
  std::vector<std::int32_t> weights;
};
compressed_rows rows_of(const arc_list<std::int32_t>& g) {
  compressed_rows rows{{0}, {}, {}};
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (static_cast<std::size_t>(g.sources[k]) != u) continue;
      rows.targets.push_back(static_cast<std::int32_t>(g.targets[k]));
      rows.weights.push_back(g.weights[k]);
    }
    rows.offsets.push_back(static_cast<std::int32_t>(rows.targets.size()));
  }
  return rows;
}

/// Calls check(make), where make(m) returns a graph that has some of its arrays in the memory of m.
template <class Check>
void with_arrays_in_results(const arc_list<std::int32_t>& g, Check check) {
  const auto rows = rows_of(g);
  for (int which = 1; which < 8; ++which) {
    BOOST_TEST_CONTEXT("arrays " << which) {
      const auto is_there = [&](int array) { return (which >> array & 1) != 0; };
      check([&](apsp::matrix<std::int32_t>& m, auto use) {
        arrays_in memory(m);
        const auto offsets = memory.place(rows.offsets, is_there(0));
        const auto targets = memory.place(rows.targets, is_there(1));
        const auto weights = memory.place(rows.weights, is_there(2));
        use(apsp::csr_view(offsets, targets, weights));
      });
      check([&](apsp::matrix<std::int32_t>& m, auto use) {
        arrays_in memory(m);
        const auto sources = memory.place(g.sources, is_there(0));
        const auto targets = memory.place(g.targets, is_there(1));
        const auto weights = memory.place(g.weights, is_there(2));
        use(apsp::edge_list_view(g.n, sources, targets, weights));
      });
      // What a function of weights reads is not known.
      if (which == 4) continue;
      check([&](apsp::matrix<std::int32_t>& m, auto use) {
        arrays_in memory(m);
        const auto offsets = memory.place(rows.offsets, is_there(0));
        const auto targets = memory.place(rows.targets, is_there(1));
        const auto weights = memory.place(rows.weights, false);
        const apsp::csr_view view(offsets, targets);
        use(apsp::weighted(view, [weights](const apsp::edge& e) { return weights[e.index]; }));
      });
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(results_in_the_arrays_of_a_sparse_graph_are_refused, Policy,
                              host_policies) {
  const auto g = random_graph<std::int32_t>(130, 0.1, 1, 99, 31);
  const auto policy = Policy::policy();
  const auto check = [&](auto solve) {
    with_arrays_in_results(g, [&](auto make) {
      apsp::matrix<std::int32_t> d(g.n);
      make(d, [&](const auto& graph) {
        const auto before = d;
        check_refused<std::invalid_argument>([&] { static_cast<void>(solve(graph, d)); },
                                             "share no memory with the arrays of the graph");
        BOOST_CHECK(d == before);
        // Other memory is not refused.
        apsp::matrix<std::int32_t> apart(g.n);
        BOOST_REQUIRE(solve(graph, apart));
        check_distances(g, apart);
      });
    });
  };
  check([&](const auto& graph, auto& d) { return apsp::floyd_warshall(policy, graph, d); });
  check(
      [&](const auto& graph, auto& d) { return apsp::all_pairs_shortest_paths(policy, graph, d); });
  check([&](const auto& graph, auto& d) { return apsp::dijkstra(policy, graph, d); });
  check([&](const auto& graph, auto& d) {
    const auto all = all_vertices(g.n);
    return apsp::distance_table(policy, graph, all, all, d);
  });
  // In the memory of the predecessors.
  with_arrays_in_results(g, [&](auto make) {
    apsp::matrix<std::int32_t> d(g.n, g.n, 7);
    apsp::matrix<std::int32_t> p(g.n);
    make(p, [&](const auto& graph) {
      check_refused<std::invalid_argument>(
          [&] { static_cast<void>(apsp::floyd_warshall(policy, graph, d, p)); },
          "share no memory with the arrays of the graph");
    });
    BOOST_CHECK(std::all_of(d.begin(), d.end(), [](std::int32_t x) { return x == 7; }));
  });
}

// The second graph is in the memory of the distances of the first one.
BOOST_AUTO_TEST_CASE_TEMPLATE(results_of_a_batch_in_the_arrays_of_a_graph_are_refused, Policy,
                              host_policies) {
  const std::vector arcs{random_graph<std::int32_t>(130, 0.1, 1, 99, 31),
                         random_graph<std::int32_t>(60, 0.2, 1, 99, 32)};
  for (const bool is_shared : {true, false}) {
    std::vector<apsp::matrix<std::int32_t>> d;
    for (const auto& g : arcs) d.emplace_back(g.n);
    std::vector<apsp::csr_view<std::int32_t, std::int32_t, std::int32_t>> graphs;
    arrays_in memory(d[0]);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto rows = rows_of(arcs[i]);
      const auto offsets = memory.place(rows.offsets, false);
      const auto targets = memory.place(rows.targets, is_shared && i == 1);
      graphs.emplace_back(offsets, targets, memory.place(rows.weights, false));
    }
    const auto solve = [&] { return apsp::floyd_warshall(Policy::policy(), graphs, d); };
    if (is_shared) {
      check_refused<std::invalid_argument>([&] { static_cast<void>(solve()); },
                                           "share no memory with the arrays of the graph");
      continue;
    }
    const auto done = solve();
    for (std::size_t i = 0; i < 2; ++i) {
      BOOST_REQUIRE(done[i]);
      check_distances(arcs[i], d[i]);
    }
  }
}
