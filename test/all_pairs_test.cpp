// SPDX-License-Identifier: BSL-1.0
// all_pairs_shortest_paths: the same answers whatever it chooses, and what it chooses.
#define BOOST_TEST_MODULE all_pairs
#include "common/main.hpp"

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "common/graphs.hpp"
#include "common/oracle.hpp"
#include "common/policies.hpp"

using namespace apsp_test;

namespace {

using some_weights = std::tuple<std::int32_t, double>;
using policies_and_some_weights = boost::mp11::mp_product<with, policies, some_weights>;

template <class With, class T>
apsp::algorithm solve(const arc_list<T>& g) {
  apsp::matrix<T> d(g.n, g.n, T(-7));
  const auto done = apsp::all_pairs_shortest_paths(With::policy(), g.view(), d);
  BOOST_REQUIRE(done);
  check_distances(g, d);
  apsp::matrix<T> again(g.n, g.n, T(-7));
  apsp::matrix<std::int32_t> p(g.n, g.n, -5);
  BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), g.view(), again, p));
  check_distances(g, again);
  check_predecessors(g, again, p);
  return done.algorithm();
}

// A ring, both ways round.
template <class T>
arc_list<T> sparse_graph(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t u = 0; u < n; ++u) {
    g.add_undirected(u, (u + 1) % n, static_cast<T>(random(1, 99)));
  }
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(small_graphs, With, policies_and_some_weights) {
  using T = typename With::weight;
  for (const std::size_t n : {0u, 1u, 2u, 40u, 130u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      solve<With>(random_graph<T>(n, 0.1, 0, 50, n));
      solve<With>(negative_graph<T>(n, 0.2, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dense_graphs_are_solved_by_floyd_warshall, With,
                              policies_and_some_weights) {
  BOOST_TEST_CONTEXT("seed = 3") {
    BOOST_CHECK(solve<With>(random_graph<typename With::weight>(150, 0.9, 1, 50, 3)) ==
                apsp::algorithm::floyd_warshall);
  }
}

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE(sparse_graphs_are_solved_source_by_source) {
  BOOST_TEST_CONTEXT("seed = 4") {
    auto g = sparse_graph<double>(1100, 4);
    apsp::matrix<double> d(g.n);
    const auto done = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == apsp::algorithm::dijkstra);
    check_distances(g, d);
    // One arc is negative now, and on no negative cycle: the way back is longer.
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (g.sources[k] == 0 && g.targets[k] == 1) g.weights[k] = -0.5;
      if (g.sources[k] == 1 && g.targets[k] == 0) g.weights[k] = 2;
    }
    const auto again = apsp::all_pairs_shortest_paths(apsp::omp, g.view(), d);
    BOOST_REQUIRE(again);
    BOOST_CHECK(again.algorithm() == apsp::algorithm::johnson);
    for (std::size_t u = 0; u + 1 < g.n; ++u) {
      BOOST_REQUIRE(d[u][u] == 0 && d[u][u + 1] <= 99);
    }
    BOOST_CHECK_EQUAL(d[0][1], -0.5);
  }
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_in_one_matrix, With, policies_and_some_weights) {
  using T = typename With::weight;
  const auto g = random_graph<T>(60, 0.2, 1, 50, 5);
  apsp::matrix<T> d(g.n, g.n, apsp::unreachable<T>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    d[static_cast<std::size_t>(g.sources[k])][static_cast<std::size_t>(g.targets[k])] =
        g.weights[k];
  }
  BOOST_TEST_CONTEXT("seed = 5") {
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), d, d));
    check_distances(g, d);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_are_named, With, policies_and_some_weights) {
  using T = typename With::weight;
  auto g = sparse_graph<T>(30, 6);
  g.add(3, 4, T(-200));
  apsp::matrix<T> d(g.n);
  const auto done = apsp::all_pairs_shortest_paths(With::policy(), g.view(), d);
  BOOST_REQUIRE(!done);
  check_negative_cycle(g, done.negative_cycle());
}
