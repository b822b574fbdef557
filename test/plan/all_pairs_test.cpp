// SPDX-License-Identifier: BSL-1.0
// Tests of all_pairs_shortest_paths: the result does not depend on the chosen algorithm, and the
// choice is as documented.
#define BOOST_TEST_MODULE all_pairs
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/elimination.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using some_weights = std::tuple<std::int32_t, double>;
using policies_and_some_weights = with_policies<with, some_weights>;

template <class With, class T>
apsp::algorithm solve(const arc_list<T>& g) {
  std::optional<apsp::algorithm> chosen;
  With::graphs::in_all_forms(g, [&](const auto& graph) {
    auto d = wrong_results<With, T>(g.n);
    const auto done = apsp::all_pairs_shortest_paths(With::policy(), graph, d);
    BOOST_REQUIRE(done);
    check_distances(g, to_host(d));
    auto again = wrong_results<With, T>(g.n);
    auto p = wrong_results<With, std::int32_t>(g.n);
    BOOST_REQUIRE(
        apsp::all_pairs_shortest_paths(With::policy(), graph, again, p, apsp::min_plus<T>{}));
    check_distances(g, to_host(again));
    check_predecessors(g, to_host(again), to_host(p));
    // All representations are the same graph, so the choice must be the same.
    BOOST_CHECK(!chosen || chosen == done.algorithm());
    chosen = done.algorithm();
  });
  return *chosen;
}

/// Checks the distances and the choice of a call for all pairs.
template <class Policy, class T>
void check_choice(const Policy& policy, const arc_list<T>& g, apsp::algorithm expected) {
  apsp::matrix<T> d(g.n);
  const auto done = apsp::all_pairs_shortest_paths(policy, g.view(), d);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == expected);
  check_distances(g, d);
}

// A ring with arcs in both directions.
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

BOOST_AUTO_TEST_CASE_TEMPLATE(small_graphs, With, in_places<policies_and_some_weights>) {
  using T = typename With::weight;
  for (const std::size_t n : {0u, 1u, 2u, 40u, 130u}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n) {
      solve<With>(random_graph<T>(n, 0.1, 0, 50, n));
      solve<With>(negative_graph<T>(n, 0.2, n));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dense_graphs_are_solved_by_floyd_warshall, With,
                              in_places<policies_and_some_weights>) {
  BOOST_TEST_CONTEXT("seed = 3") {
    BOOST_CHECK(solve<With>(random_graph<typename With::weight>(150, 0.9, 1, 50, 3)) ==
                apsp::algorithm::floyd_warshall);
  }
}

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE(sparse_graphs_are_solved_by_elimination) {
  BOOST_TEST_CONTEXT("seed = 4") {
    auto g = sparse_graph<double>(1100, 4);
    check_choice(apsp::seq, g, apsp::algorithm::elimination);
    // One arc becomes negative. It is on no negative cycle, because the opposite arc is longer.
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (g.sources[k] == 0 && g.targets[k] == 1) g.weights[k] = -0.5;
      if (g.sources[k] == 1 && g.targets[k] == 0) g.weights[k] = 2;
    }
    apsp::matrix<double> d(g.n);
    const auto again = apsp::all_pairs_shortest_paths(apsp::omp, g.view(), d);
    BOOST_REQUIRE(again);
    BOOST_CHECK(again.algorithm() == apsp::algorithm::elimination);
    for (std::size_t u = 0; u + 1 < g.n; ++u) {
      BOOST_REQUIRE(d[u][u] == 0 && d[u][u + 1] <= 99);
    }
    BOOST_CHECK_EQUAL(d[0][1], -0.5);
  }
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_in_one_matrix, With,
                              in_places<policies_and_some_weights>) {
  using T = typename With::weight;
  for (const auto& g : {random_graph<T>(60, 0.2, 1, 50, 5), negative_graph<T>(80, 0.05, 5)}) {
    auto d = With::results::put(dense_form(g));
    BOOST_TEST_CONTEXT("n = " << g.n << ", seed = 5") {
      BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), d, d));
      check_distances(g, to_host(d));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_some_vertices, With, in_places<policies_and_some_weights>) {
  using T = typename With::weight;
  const std::vector<std::size_t> sources{7, 3, 3, 59};
  for (const auto& g : {random_graph<T>(60, 0.1, 1, 50, 9), negative_graph<T>(60, 0.1, 9)}) {
    const auto expected = oracle_rows(g, sources);
    BOOST_REQUIRE(expected);
    With::graphs::in_one_form(g, [&](const auto& graph) {
      BOOST_TEST_CONTEXT("seed = 9") {
        auto d = wrong_results<With, T>(sources.size(), g.n);
        BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), graph, sources, d));
        check_rows<T>(*expected, to_host(d));
        auto again = wrong_results<With, T>(sources.size(), g.n);
        auto p = wrong_results<With, std::int32_t>(sources.size(), g.n);
        BOOST_REQUIRE(apsp::all_pairs_shortest_paths(With::policy(), graph, sources, again, p));
        check_rows<T>(*expected, to_host(again));
        check_trees<T>(lightest_arcs(g), sources, to_host(again), to_host(p));
      }
    });
  }
}

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE(the_choice_for_some_vertices_is_that_for_all) {
  BOOST_TEST_CONTEXT("seed = 10") {
    auto g = sparse_graph<double>(1100, 10);
    std::vector<std::size_t> sources(g.n);
    std::iota(sources.rbegin(), sources.rend(), std::size_t{0});
    apsp::matrix<double> all(g.n), some(g.n);
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(apsp::seq, g.view(), all));
    const auto eliminated = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), sources, some);
    BOOST_CHECK(eliminated.algorithm() == apsp::algorithm::elimination);
    for (std::size_t u = 0; u < g.n; ++u) {
      BOOST_REQUIRE(std::equal(some[u], some[u] + g.n, all[g.n - 1 - u]));
    }
    const auto equal = random_graph<double>(g.n, 0.004, 3, 3, 10);
    const auto searched = apsp::all_pairs_shortest_paths(apsp::seq, equal.view(), sources, some);
    BOOST_CHECK(searched.algorithm() == apsp::algorithm::breadth_first_search);
    const std::vector<std::size_t> one{5};
    apsp::matrix<double> row(1, g.n);
    const auto alone = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), one, row);
    BOOST_CHECK(alone && alone.algorithm() != apsp::algorithm::elimination);
    const std::vector<std::size_t> wrong{g.n};
    check_refused([&] { return apsp::all_pairs_shortest_paths(apsp::seq, g.view(), wrong, row); });
    g.add(3, 4, -200.0);
    const auto done = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), one, row);
    BOOST_REQUIRE(!done);
    check_negative_cycle(g, done.negative_cycle());
  }
}
#endif

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE(a_result_has_its_plan) {
  const auto g = sparse_graph<double>(1100, 4);
  apsp::matrix<double> d(g.n);
  const auto done = apsp::all_pairs_shortest_paths(apsp::seq, g.view(), d);
  BOOST_REQUIRE(done.plan().find(apsp::algorithm::elimination) != nullptr);
  const apsp::candidate& chosen = *done.plan().find(done.algorithm());
  BOOST_CHECK(chosen.seconds > 0 && chosen.why_not.empty());
  const auto* const other = done.plan().find(apsp::algorithm::floyd_warshall);
  BOOST_REQUIRE(other != nullptr);
  BOOST_CHECK(other->seconds > chosen.seconds);
  BOOST_CHECK(contains(to_string(done.plan()), "breadth_first_search: the weights are not"));
  BOOST_CHECK(apsp::elimination(apsp::seq, g.view(), d).plan().candidates().empty());
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_are_named, With, policies_and_some_weights) {
  using T = typename With::weight;
  auto g = sparse_graph<T>(30, 6);
  g.add(3, 4, T(-200));
  apsp::matrix<T> d(g.n);
  const auto done = apsp::all_pairs_shortest_paths(With::policy(), g.view(), d);
  BOOST_REQUIRE(!done);
  check_negative_cycle(g, done.negative_cycle());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(distances_in_a_matrix, With, in_places<policies_and_some_weights>) {
  using T = typename With::weight;
  const auto g = random_graph<T>(60, 0.1, 1, 99, 8);
  const apsp::matrix<T> d = apsp::distances(With::policy(), g.view());
  check_distances(g, d);
  const apsp::matrix<double> wider = apsp::distances<double>(With::policy(), g.view());
  BOOST_CHECK(std::equal(d.begin(), d.end(), wider.begin(), wider.end(), [](T x, double y) {
    return x == apsp::unreachable<T> ? y == apsp::unreachable<double> : static_cast<double>(x) == y;
  }));
  With::graphs::in_one_form(
      g, [&](const auto& graph) { BOOST_CHECK(apsp::distances(With::policy(), graph) == d); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_distances_to_return, Policy, policies) {
  const auto outcome_of = [](const auto& policy, const auto& g, const std::string& words) {
    try {
      static_cast<void>(apsp::distances(policy, g.view()));
    } catch (const apsp::unsolved_error& error) {
      BOOST_CHECK_MESSAGE(contains(error.what(), words), error.what());
      return error.result();
    }
    BOOST_FAIL("nothing was thrown");
    throw;
  };
  auto g = sparse_graph<std::int32_t>(30, 6);
  const auto stopped = outcome_of(Policy::policy().stop(requested_stop()), g, "was stopped");
  BOOST_CHECK(stopped.outcome() == apsp::outcome::stopped);
  g.add(3, 4, -200);
  const auto cycle = outcome_of(Policy::policy(), g, "a negative cycle, through vertex");
  check_negative_cycle(g, cycle.negative_cycle());
  const arc_list<std::int32_t> heavy{3, {0, 1}, {1, 2}, {2000000000, 2000000000}};
  BOOST_CHECK(outcome_of(Policy::policy(), heavy, "does not fit").saturated());
  BOOST_CHECK_EQUAL(apsp::distances<std::int64_t>(Policy::policy(), heavy.view())[0][2],
                    4000000000);
}

namespace {

/// Solves with and without predecessors. Returns the algorithm that ran without.
template <class Policy, class S, class T = typename S::value_type>
apsp::algorithm solve_over(const arc_list<T>& g, const apsp::matrix<T>& expected) {
  apsp::matrix<T> values(g.n, g.n, T(-7));
  const auto done = apsp::all_pairs_shortest_paths(Policy::policy(), g.view(), values, S{});
  BOOST_REQUIRE(done);
  apsp::matrix<T> again(g.n, g.n, T(-7));
  apsp::matrix<std::int32_t> p(g.n, g.n, -5);
  BOOST_REQUIRE(apsp::all_pairs_shortest_paths(Policy::policy(), g.view(), again, p, S{}));
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE(same_value<S>(values[u][v], expected[u][v]));
    BOOST_REQUIRE(same_value<S>(again[u][v], expected[u][v]));
    BOOST_REQUIRE_EQUAL(p[u][v] != -1, u != v && expected[u][v] != S::zero);
  });
  return done.algorithm();
}

using some_semirings = std::tuple<apsp::max_min<std::int32_t>, apsp::max_times<double>>;
using policies_and_some_semirings = with_policies<over, some_semirings>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(over_semirings, Over, policies_and_some_semirings) {
  using S = typename Over::semiring;
  for (const std::size_t n : {0u, 1u, 2u, 65u}) {
    for (const double p : {0.02, 0.5}) {
      BOOST_TEST_CONTEXT("n = " << n << ", p = " << p << ", seed = 8") {
        const auto g = semiring_graph<S>(n, p, 8);
        solve_over<typename Over::policy_type, S>(g, best_values<S>(g));
      }
    }
  }
  const auto g = semiring_graph<S>(150, 0.9, 9);
  BOOST_CHECK((solve_over<typename Over::policy_type, S>(g, best_values<S>(g))) ==
              apsp::algorithm::floyd_warshall);
}

#ifndef APSP_TEST_ON_DEVICE
// Random graphs fill up when vertices are eliminated.
BOOST_AUTO_TEST_CASE(random_graphs_are_solved_source_by_source) {
  BOOST_TEST_CONTEXT("seed = 5") {
    auto g = random_graph<double>(1500, 12.0 / 1500, 1, 99, 5);
    for (double& w : g.weights) w += 0.5;  // Floyd–Warshall is faster for whole numbers.
    check_choice(apsp::seq, g, apsp::algorithm::bellman_ford);
    // No arc leads to the first vertex of the new arc, so it is on no cycle.
    g.add(g.n++, 0, -5.0);
    check_choice(apsp::omp, g, apsp::algorithm::johnson);
  }
}

BOOST_AUTO_TEST_CASE(sparse_graphs_over_semirings) {
  using S = apsp::max_min<double>;
  const auto g = sparse_graph<double>(700, 10);
  const auto expected = best_values<S>(g);
  BOOST_CHECK((solve_over<seq, S>(g, expected)) == apsp::algorithm::elimination);
  BOOST_CHECK((solve_over<omp, S>(g, expected)) == apsp::algorithm::elimination);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unions_of_paths, Policy, policies) {
  // A ring. Half of the kinds lead in one direction, the other half in the opposite direction.
  arc_list<std::uint32_t> g{40, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) {
    g.add(v, (v + 1) % g.n, 0x0f0f0f0fu);
    g.add((v + 1) % g.n, v, 0xf0f0f0f0u);
  }
  apsp::matrix<std::uint32_t> kinds(g.n);
  const auto done =
      apsp::all_pairs_shortest_paths(Policy::policy(), g.view(), kinds, kinds_of_traffic{});
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::floyd_warshall);
  BOOST_CHECK_EQUAL(kinds[0][1], ~0u);
  BOOST_CHECK_EQUAL(kinds[7][3], ~0u);
  BOOST_CHECK_EQUAL(kinds[4][4], ~0u);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(a_dense_graph_over_a_semiring_in_its_own_place, Policy, policies) {
  using S = apsp::max_min<std::int32_t>;
  const auto g = semiring_graph<S>(70, 0.1, 8);
  apsp::matrix<std::int32_t> d(g.n, g.n, apsp::unreachable<std::int32_t>);
  for (std::size_t k = 0; k < g.size(); ++k) {
    d[g.from(k)][g.to(k)] = g.weights[k];
  }
  BOOST_TEST_CONTEXT("seed = 8") {
    BOOST_REQUIRE(apsp::all_pairs_shortest_paths(Policy::policy(), d, d, S{}));
    BOOST_CHECK(d == best_values<S>(g));
  }
}

#ifdef APSP_TEST_ON_DEVICE
// On a device, Dijkstra's algorithm is faster for few entries and many arcs per vertex.
BOOST_AUTO_TEST_CASE(random_graphs_are_solved_by_dijkstra_on_a_device) {
  BOOST_TEST_CONTEXT("seed = 5") {
    const auto g = random_graph<std::int32_t>(2000, 4.0 / 2000, 1, 99, 5);
    check_choice(apsp::cuda_tiled.required(), g, apsp::algorithm::dijkstra);
  }
}

// A ring of this size is eliminated; its searches have many levels.
BOOST_AUTO_TEST_CASE_TEMPLATE(all_pairs_of_a_large_ring, Weight, some_weight_types) {
  constexpr std::size_t n = 6000;
  constexpr auto policy = apsp::cuda_tiled.required();
  for (const int variant : {0, 1, 2, 3}) {
    const bool has_potentials = variant % 2 == 1;
    arc_list<Weight> g{n, {}, {}, {}};
    // Potentials make weights negative, but do not change the length of a cycle.
    const auto potential = [&](std::size_t v) { return has_potentials && v % 2 == 1 ? 9 : 0; };
    for (std::size_t v = 0; v < n; ++v) {
      const std::size_t to = (v + 1) % n;
      g.add(v, to, static_cast<Weight>(3 + potential(v) - potential(to)));
    }
    const resident<Weight> on_device(g);
    auto d = wrong_results<place<device_memory>, Weight>(n);
    auto p = wrong_results<place<device_memory>, std::int32_t>(n);
    if (variant < 2) {
      const auto done = apsp::all_pairs_shortest_paths(policy, on_device.csr(), d, p);
      BOOST_REQUIRE(done);
      BOOST_CHECK(done.algorithm() == apsp::algorithm::elimination);
    } else if (has_potentials) {
      BOOST_REQUIRE(apsp::johnson(policy, on_device.csr(), d, p));
    } else {
      BOOST_REQUIRE(apsp::bellman_ford(policy, on_device.csr(), d, p));
    }
    const auto distances = d.to_host();
    const auto hops = p.to_host();
    std::size_t num_wrong = 0;
    for_each_pair(n, [&](std::size_t u, std::size_t v) {
      const auto steps = static_cast<std::int64_t>(v < u ? v + n - u : v - u);
      const auto expected = static_cast<Weight>(3 * steps + potential(u) - potential(v));
      const auto before = u == v ? -1 : static_cast<std::int32_t>(v == 0 ? n - 1 : v - 1);
      num_wrong += distances[u][v] == expected && hops[u][v] == before ? 0 : 1;
    });
    BOOST_CHECK_EQUAL(num_wrong, 0u);
  }
}
#endif
