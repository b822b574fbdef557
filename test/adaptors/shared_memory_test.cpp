// SPDX-License-Identifier: BSL-1.0
// Tests of graphs and results that share memory in part; contract_test tests those that share all of it.
#define BOOST_TEST_MODULE shared_memory
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <stdexcept>
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
      const auto u = static_cast<std::size_t>(arcs.sources[k]);
      T& entry = entries[u * width + static_cast<std::size_t>(arcs.targets[k])];
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
            for (std::size_t i = 0; i < n; ++i) {
              for (std::size_t j = 0; j < n; ++j) {
                graph.first[i * graph.row_stride + j] = before.entries[i * before.width + j];
              }
            }
          }
          BOOST_REQUIRE(solve_all_pairs(graph, result));
          apsp::matrix<T> distances(n);
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
              distances[i][j] = result.first[i * result.row_stride + j];
            }
          }
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
      for (std::size_t s = 0; s < n; ++s) {
        for (std::size_t t = 0; t < n; ++t) {
          const auto walked = apsp::path(predecessors, s, t);
          BOOST_REQUIRE_EQUAL(walked.empty(), distances[s][t] == apsp::unreachable<int>);
          BOOST_REQUIRE_EQUAL(walked.size(), apsp::path(expected, s, t).size());
        }
      }
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
