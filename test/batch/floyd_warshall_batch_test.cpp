// SPDX-License-Identifier: BSL-1.0
// Compares batches of graphs to Boost's per-source algorithms and to the single call, graph by graph.
#define BOOST_TEST_MODULE floyd_warshall_batch
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/dense.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../common/batches.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_size_in_one_batch, With, policies_and_weights) {
  using T = typename With::weight;
  const answered<T>& expected = graphs_of_every_size<T>();
  const auto graphs = views(expected.graphs);
  auto distances = matrices_for(expected.graphs);
  const auto done = apsp::floyd_warshall(With::policy(), graphs, distances);
  check_answers(expected, done, distances);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_graphs, Policy, policies) {
  std::vector<arc_list<std::int32_t>> graphs;
  for (std::size_t i = 0; i < 3000; ++i) {
    graphs.push_back(random_graph<std::int32_t>(5 + i % 23, 0.3, 1, 1000, i));
  }
  for (std::size_t i = 0; i < 60; ++i) {
    graphs.push_back(random_graph<std::int32_t>(100 + i, 0.05, 1, 1000, i));
  }
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  const auto done = apsp::floyd_warshall(Policy::policy(), seen, distances);
  check_like_single(seen, done, distances);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place, With, policies_and_weights) {
  using T = typename With::weight;
  const answered<T>& expected = graphs_of_every_size<T>();
  auto graphs = dense(expected.graphs);
  check_answers(expected, apsp::floyd_warshall(With::policy(), graphs, graphs), graphs);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(in_place_of_another_graph, Policy, policies) {
  // Graph i is stored where the distances of graph i + 1 are written.
  answered<float> expected;
  for (std::size_t i = 0; i < 40; ++i)
    expected.add(random_graph<float>(i < 38 ? 33 : 260, 0.1, 1, 99, i));
  std::rotate(expected.graphs.begin(), expected.graphs.begin() + 38, expected.graphs.end());
  std::rotate(expected.distances.begin(), expected.distances.begin() + 38,
              expected.distances.end());
  auto memory = dense(expected.graphs);
  std::vector<apsp::dense_view<apsp::matrix<float>>> graphs;
  for (const auto& m : memory) graphs.emplace_back(m);
  // The large graphs come first, then the small ones. Each group is permuted.
  std::rotate(graphs.begin(), graphs.begin() + 1, graphs.begin() + 2);
  std::rotate(graphs.begin() + 2, graphs.begin() + 3, graphs.end());
  std::rotate(expected.distances.begin(), expected.distances.begin() + 1,
              expected.distances.begin() + 2);
  std::rotate(expected.distances.begin() + 2, expected.distances.begin() + 3,
              expected.distances.end());
  check_answers(expected, apsp::floyd_warshall(Policy::policy(), graphs, memory), memory);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, With, policies_and_weights) {
  using T = typename With::weight;
  static const auto graphs = graphs_with_negative_cycles<T>(10);
  static const auto expected = oracle_of_all(graphs);
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  const auto done = apsp::floyd_warshall(With::policy(), seen, distances);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_TEST_CONTEXT("graph " << i << ", seed = " << i) {
      BOOST_REQUIRE_EQUAL(bool(done[i]), expected[i].has_value());
      if (expected[i]) {
        check_rows<T>(*expected[i], distances[i]);
      } else {
        BOOST_CHECK(!done[i].stopped());
        check_negative_cycle(graphs[i], done[i].negative_cycle());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_below_zero_by_rounding_only, Policy, policies) {
  std::vector<arc_list<float>> graphs;
  for (std::size_t i = 0; i < 8; ++i) graphs.push_back(negative_graph<float>(40, 0.5, i, 0.1));
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  const auto done = apsp::floyd_warshall(Policy::policy(), seen, distances);
  bool any_reweighted = false;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    BOOST_TEST_CONTEXT("seed = " << i) {
      BOOST_REQUIRE(bool(done[i]));
      any_reweighted = any_reweighted || done[i].algorithm() == apsp::algorithm::johnson;
      // The same graph with weights divided by 10.
      const auto tenths = oracle_distances(negative_graph<std::int32_t>(graphs[i].n, 0.5, i));
      for (std::size_t u = 0; u < graphs[i].n; ++u) {
        for (std::size_t v = 0; v < graphs[i].n; ++v) {
          BOOST_REQUIRE(std::abs(static_cast<double>(distances[i][u][v]) -
                                 0.1 * static_cast<double>((*tenths)[u][v])) < 1e-3);
        }
      }
    }
  }
  BOOST_CHECK(any_reweighted);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range, Policy, policies) {
  constexpr auto most = (std::numeric_limits<std::int32_t>::max)();
  std::vector<arc_list<std::int32_t>> graphs;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t n = 2 + 5 * i % 70;
    graphs.push_back(i % 4 == 0   ? random_graph<std::int32_t>(n, 0.2, most / 4, most - 1, i)
                     : i % 4 == 1 ? random_graph<std::int32_t>(n, 0.2, 0, 10, i)
                     : i % 4 == 2 ? negative_graph<std::int32_t>(n, 0.2, i)
                                  : random_graph<std::int32_t>(n, 0.2, most / 200, most / 100, i));
  }
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  const auto done = apsp::floyd_warshall(Policy::policy(), seen, distances);
  check_like_single(seen, done, distances);
  BOOST_CHECK(std::any_of(done.begin(), done.end(), [](auto& d) { return d.saturated(); }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_of_the_range_of_64_bits, Policy, policies) {
  constexpr auto most = (std::numeric_limits<std::int64_t>::max)();
  std::vector<arc_list<std::int64_t>> graphs;
  for (std::size_t i = 0; i < 12; ++i) {
    const std::int64_t low = i % 2 == 0 ? most / 8 : 1;
    graphs.push_back(random_graph<std::int64_t>(20 + i, 0.1, low, i % 2 == 0 ? most / 4 : 9, i));
  }
  const auto seen = views(graphs);
  auto distances = matrices_for(graphs);
  const auto done = apsp::floyd_warshall(Policy::policy(), seen, distances);
  check_like_single(seen, done, distances);
  BOOST_CHECK(std::any_of(done.begin(), done.end(), [](auto& d) { return d.saturated(); }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_and_unsigned_distances, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    std::vector<arc_list<T>> graphs;
    for (std::size_t i = 0; i < 10; ++i) {
      graphs.push_back(random_graph<T>(12 * i, 0.05, 1, i % 2 == 0 ? 3 : 100, i));
    }
    const auto seen = views(graphs);
    auto distances = matrices_for(graphs);
    check_like_single(seen, apsp::floyd_warshall(Policy::policy(), seen, distances), distances);
  };
  check(std::int8_t{});
  check(std::uint64_t{});
}
