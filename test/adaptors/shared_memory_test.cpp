// SPDX-License-Identifier: BSL-1.0
// Tests of graphs and results that share memory in part, and of sparse graphs whose arrays share
// memory with a result, which is refused. contract_test tests graphs that are the result.
#define BOOST_TEST_MODULE shared_memory
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
#include <apsp/path.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// A square part of a larger array with the interface of an mdspan.
template <class T>
struct square_block {
  T* first;
  std::size_t n;
  std::size_t row_stride;
  std::size_t column_stride;
  static constexpr std::size_t rank() { return 2; }
  T* data_handle() const { return first; }
  std::size_t extent(std::size_t) const { return n; }
  std::size_t stride(std::size_t d) const { return d == 0 ? row_stride : column_stride; }
};

// An array that is divided into blocks of n x n entries. The first block contains a graph.
template <class T>
struct array_of_blocks {
  explicit array_of_blocks(std::size_t num_vertices)
      : n(num_vertices),
        width(3 * n),
        entries(width * width, apsp::unreachable<T>),
        arcs(random_graph<T>(n, 0.3, 1, 99, 32)) {
    for (std::size_t k = 0; k < arcs.size(); ++k) {
      const auto u = arcs.from(k);
      T& entry = entries[u * width + arcs.to(k)];
      entry = std::min(entry, arcs.weights[k]);
    }
  }
  square_block<T> at(std::size_t row, std::size_t column) {
    return {entries.data() + row * width + column, n, width, 1};
  }

  std::size_t n;
  std::size_t width;
  std::vector<T> entries;
  arc_list<T> arcs;
};

// Calls f(algorithm) for each all-pairs algorithm.
template <class Policy, class F>
void with_all_pairs(const Policy& policy, F f) {
  f([&](auto&&... data) { return apsp::floyd_warshall(policy, data...); });
  f([&](auto&&... data) { return apsp::repeated_squaring(policy, data...); });
  f([&](auto&&... data) { return apsp::all_pairs_shortest_paths(policy, data...); });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_may_share_memory, With, policies_and_weights) {
  using T = typename With::weight;
  constexpr std::size_t n = 20;
  for (const auto& corner : {std::pair<std::size_t, std::size_t>{0, 0},
                             {1, 1},
                             {0, 1},
                             {1, 0},
                             {n - 1, n - 1},
                             {n - 1, 0},
                             {0, n},
                             {n, 0}}) {
    BOOST_TEST_CONTEXT("the result begins at " << corner.first << ", " << corner.second) {
      with_all_pairs(With::policy(), [&](auto solve_all_pairs) {
        for (const bool graph_is_first : {true, false}) {
          array_of_blocks<T> array(n);
          const array_of_blocks<T> before = array;
          auto graph = array.at(0, 0);
          auto result = array.at(corner.first, corner.second);
          if (!graph_is_first) {
            // The same graph in the other block.
            std::fill(array.entries.begin(), array.entries.end(), apsp::unreachable<T>);
            std::swap(graph, result);
            for_each_pair(n, [&](std::size_t i, std::size_t j) {
              graph.first[i * graph.row_stride + j] = before.entries[i * before.width + j];
            });
          }
          BOOST_REQUIRE(solve_all_pairs(graph, result));
          apsp::matrix<T> distances(n);
          for_each_pair(n, [&](std::size_t i, std::size_t j) {
            distances[i][j] = result.first[i * result.row_stride + j];
          });
          check_distances(before.arcs, distances);
        }
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_predecessors_may_share_memory, Policy, policies) {
  constexpr std::size_t n = 20;
  for (const std::size_t corner : {0u, 1u, 7u}) {
    with_all_pairs(Policy::policy().prefer_fewest_edges(), [&](auto solve_all_pairs) {
      array_of_blocks<int> array(n);
      apsp::matrix<int> expected_distances(n), expected(n), distances(n);
      BOOST_REQUIRE(solve_all_pairs(array.arcs.view(), expected_distances, expected));
      auto predecessors = array.at(corner, corner);
      BOOST_REQUIRE(solve_all_pairs(array.at(0, 0), distances, predecessors));
      check_distances(array.arcs, distances);
      for_each_pair(n, [&](std::size_t s, std::size_t t) {
        const auto walked = apsp::path(predecessors, s, t);
        BOOST_REQUIRE_EQUAL(walked.empty(), distances[s][t] == apsp::unreachable<int>);
        BOOST_REQUIRE_EQUAL(walked.size(), apsp::path(expected, s, t).size());
      });
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_and_predecessors_are_two_matrices, Policy, policies) {
  const auto g = make_graph<int>(3, {{0, 1, 1}});
  apsp::matrix<int> d(3);
  message_of<std::invalid_argument>(
      [&] { return apsp::floyd_warshall(Policy::policy(), g.view(), d, d); });

  // Blocks of one array with common entries, and blocks without.
  std::vector<int> entries(100, 42);
  const auto block = [&](std::size_t first, std::size_t stride) {
    return square_block<int>{entries.data() + first, 3, 10 * stride, stride};
  };
  const auto solve = [&](auto distances, auto predecessors) {
    return apsp::floyd_warshall(Policy::policy(), g.view(), distances, predecessors);
  };
  for (const std::size_t second : {0u, 1u, 2u, 10u, 12u, 21u, 22u}) {
    message_of<std::invalid_argument>([&] { return solve(block(0, 1), block(second, 1)); });
    message_of<std::invalid_argument>([&] { return solve(block(second, 1), block(0, 1)); });
  }
  for (const int x : entries) BOOST_REQUIRE_EQUAL(x, 42);
  BOOST_CHECK(solve(block(0, 1), block(3, 1)));
  BOOST_CHECK(solve(block(5, 1), block(0, 1)));
  BOOST_CHECK(solve(block(0, 1), block(30, 1)));
  BOOST_CHECK(solve(block(0, 2), block(1, 2)));  // two members of the same objects
}

#ifndef APSP_TEST_ON_DEVICE
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

/// Calls check(make), where make(m) returns a graph that has some of its arrays in the memory of m.
template <class Check>
void with_arrays_in_results(const arc_list<std::int32_t>& g, Check check) {
  const auto rows = in_rows(g);
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
        check_refused([&] { return solve(graph, d); },
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
      check_refused([&] { return apsp::floyd_warshall(policy, graph, d, p); },
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
      const auto rows = in_rows(arcs[i]);
      const auto offsets = memory.place(rows.offsets, false);
      const auto targets = memory.place(rows.targets, is_shared && i == 1);
      graphs.emplace_back(offsets, targets, memory.place(rows.weights, false));
    }
    const auto solve = [&] { return apsp::floyd_warshall(Policy::policy(), graphs, d); };
    if (is_shared) {
      check_refused([&] { return solve(); }, "share no memory with the arrays of the graph");
      continue;
    }
    const auto done = solve();
    for (std::size_t i = 0; i < 2; ++i) {
      BOOST_REQUIRE(done[i]);
      check_distances(arcs[i], d[i]);
    }
  }
}
#endif
