// SPDX-License-Identifier: BSL-1.0
// Tests of edge cases of the per-source algorithms: invalid input, the contents of the result, and calls from
// several threads.
#define BOOST_TEST_MODULE per_source_contract
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/weighted.hpp>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

// Invalid input.

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_out_of_range, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 1);
  const auto refused = [&](const auto& sources, const std::string& says) {
    for (const auto method : per_source_algorithms) {
      apsp::matrix<int> d(std::size(sources), g.n, 42);
      apsp::matrix<int> p(std::size(sources), g.n, 42);
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(run(method, Policy::policy(), g.view(), sources, d, p)); });
      BOOST_CHECK_MESSAGE(contains(message, says), message);
      BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
    }
    message_of<std::invalid_argument>([&] {
      static_cast<void>(apsp::for_each_row(
          Policy::policy(), g.view(), sources,
          [](std::size_t, std::span<const int>) { BOOST_ERROR("called for a bad list"); }));
    });
  };
  refused(std::vector<int>{0, 10}, "source 10");
  refused(std::vector<int>{0, -1, 2}, "source -1");
  refused(std::vector<std::int64_t>{std::int64_t{1} << 32}, "source 4294967296");
  refused(std::vector<unsigned char>{255}, "source 255");
  const arc_list<int> nothing;
  apsp::matrix<int> d(1, 0);
  message_of<std::invalid_argument>([&] {
    static_cast<void>(apsp::dijkstra(Policy::policy(), nothing.view(), std::vector<int>{0}, d));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wrong_shapes, Policy, policies) {
  const auto g = random_graph<int>(5, 0.5, 1, 9, 1);
  const std::vector<int> two{0, 4};
  const auto refused = [&](auto&& distances, const std::string& says) {
    for (const auto method : per_source_algorithms) {
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(run(method, Policy::policy(), g.view(), two, distances)); });
      BOOST_CHECK_MESSAGE(contains(message, says), message);
    }
  };
  refused(apsp::matrix<int>(5), "5 x 5, not 2 x 5");
  refused(apsp::matrix<int>(5, 2), "5 x 2, not 2 x 5");
  refused(apsp::matrix<int>(), "0 x 0");
  refused(std::vector<std::vector<int>>(2), "2 x 0");
  refused(std::vector<std::vector<int>>{std::vector<int>(5), std::vector<int>(4)}, "unequal");
  apsp::matrix<int> d(2, 5, 42);
  apsp::matrix<int> narrow(2, 4, 42);
  for (const auto method : per_source_algorithms) {
    message_of<std::invalid_argument>(
        [&] { static_cast<void>(run(method, Policy::policy(), g.view(), two, d, narrow)); });
    // Without a list of sources the matrix must be square.
    message_of<std::invalid_argument>(
        [&] { static_cast<void>(run(method, Policy::policy(), g.view(), d)); });
    message_of<std::invalid_argument>(
        [&] { static_cast<void>(run(method, Policy::policy(), g.view(), two, d, d)); });
  }
  BOOST_CHECK(holds_only(d, 42) && holds_only(narrow, 42));
  std::vector<std::vector<int>> no_rows;
  BOOST_CHECK(apsp::dijkstra(Policy::policy(), g.view(), std::vector<int>{}, no_rows));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_predecessors, Policy, policies) {
  const auto solve = [](std::size_t n, auto index) {
    const auto g = random_graph<int>(n, 0.02, 1, 9, 2);
    apsp::matrix<int> d(2, n, 42);
    apsp::matrix<decltype(index)> p(2, n);
    const std::vector<std::size_t> sources{0, n - 1};
    static_cast<void>(apsp::johnson(Policy::policy(), g.view(), sources, d, p));
    check_trees<int>(lightest_arcs(g), sources, d, p);
  };
  const auto refused = [&](std::size_t n, auto index) {
    const auto message = message_of<std::invalid_argument>([&] { solve(n, index); });
    BOOST_CHECK_MESSAGE(contains(message, "too narrow for " + std::to_string(n)), message);
  };
  solve(128, std::int8_t{});
  refused(129, std::int8_t{});
  solve(255, std::uint8_t{});
  refused(256, std::uint8_t{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dijkstra_refuses_negative_weights, With, policies_and_weights) {
  using T = typename With::weight;
  auto g = random_graph<T>(40, 0.2, 1, 9, 3);
  g.add(17, 23, T(-1));
  apsp::matrix<T> d(2, g.n, T(42));
  apsp::matrix<int> p(2, g.n, 42);
  const std::vector<int> sources{0, 1};
  const auto check = [&](auto&&... outputs) {
    const auto message = message_of<std::invalid_argument>(
        [&] { static_cast<void>(apsp::dijkstra(With::policy(), g.view(), outputs...)); });
    BOOST_CHECK_MESSAGE(contains(message, "17 -> 23") && contains(message, "negative"), message);
    BOOST_CHECK(contains(message, "dijkstra") && contains(message, "bellman_ford"));
  };
  check(sources, d);
  check(sources, d, p);
  BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
  apsp::matrix<T> all(g.n, g.n, T(42));
  check(all);
  BOOST_CHECK(holds_only(all, 42));
  // Also for a self-loop, and without sources.
  auto loop = make_graph<T>(2, {{1, 1, T(-2)}});
  apsp::matrix<T> none(0, 2);
  const auto message = message_of<std::invalid_argument>([&] {
    static_cast<void>(apsp::dijkstra(With::policy(), loop.view(), std::vector<int>{}, none));
  });
  BOOST_CHECK_MESSAGE(contains(message, "1 -> 1"), message);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bad_arcs_leave_the_output_untouched, With, policies_and_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, const std::string& says) {
    const std::vector<int> sources{0, 0, 2, 1};
    for (const auto method : per_source_algorithms) {
      apsp::matrix<T> d(4, g.n, T{42});
      apsp::matrix<int> p(4, g.n, 42);
      const auto message = message_of<std::invalid_argument>(
          [&] { static_cast<void>(run(method, With::policy(), g.view(), sources, d, p)); });
      BOOST_CHECK_MESSAGE(contains(message, says), message);
      BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
    }
    message_of<std::invalid_argument>([&] {
      static_cast<void>(apsp::for_each_row(
          With::policy(), g.view(), sources,
          [](std::size_t, std::span<const T>) { BOOST_ERROR("called for a bad graph"); }));
    });
  };
  check(make_graph<T>(3, {{0, 1, T{1}}, {1, 3, T{1}}}), "1 -> 3");
  check(make_graph<T>(3, {{0, 1, T{1}}, {-1, 2, T{1}}}), "-1 -> 2");
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
    check(make_graph<T>(3, {{0, 1, T{1}}, {2, 1, std::numeric_limits<T>::quiet_NaN()}}), "NaN");
    check(make_graph<T>(3, {{2, 1, -std::numeric_limits<T>::infinity()}}), "minus infinity");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(arcs_of_unreachable_weight_are_no_arcs, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(3, {{0, 1, infinite<T>}, {1, 0, T{2}}, {0, 2, T{1}}});
  for (const auto method : per_source_algorithms) {
    apsp::matrix<T> d(3);
    apsp::matrix<int> p(3);
    const auto done = run(method, With::policy(), g.view(), d, p);
    BOOST_REQUIRE(done);
    BOOST_CHECK(!done.saturated());
    check_rows<T>(*oracle_distances(make_graph<T>(3, {{1, 0, T{2}}, {0, 2, T{1}}})), d);
    BOOST_CHECK_EQUAL(p[0][1], -1);
  }
}

#ifndef APSP_TEST_ON_DEVICE
// A row depends only on the graph and its source, not on the rows that a thread has solved before. Among paths
// of equal reweighted length, whose lengths are rounded differently, the same one is chosen.
BOOST_AUTO_TEST_CASE_TEMPLATE(floats_have_the_same_bits_on_the_host, Policy, policies) {
  const auto check = [](auto unit, std::size_t n, std::size_t m, std::uint64_t seed) {
    using T = decltype(unit);
    random_numbers random(seed);
    std::vector<T> heights(n);
    for (T& h : heights) h = static_cast<T>(random(0, 59));
    arc_list<T> g{n, {}, {}, {}};
    for (std::size_t k = 0; k < m; ++k) {
      const std::size_t u = random.index(n);
      const std::size_t v = random.index(n);
      g.add(u, v, heights[v] / 10 - heights[u] / 10);
    }
    apsp::matrix<T> expected(n), again(n), row(1, n);
    apsp::matrix<int> expected_hops(n), hops(n);
    BOOST_REQUIRE(apsp::johnson(apsp::seq, g.view(), expected, expected_hops));
    BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), again, hops));
    BOOST_CHECK(std::ranges::equal(expected, again));
    BOOST_CHECK(std::ranges::equal(expected_hops, hops));
    for (const std::size_t s : {std::size_t{0}, n / 2, n - 1}) {
      BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), std::vector{s}, row));
      BOOST_CHECK(std::ranges::equal(std::span(expected[s], n), row));
    }
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      check(1.0f, 35, 70, seed);
      check(1.0f, 300, 900, seed);
      check(1.0, 300, 900, seed);
    }
  }
}
#endif

// The algorithm and backend of the result.

BOOST_AUTO_TEST_CASE_TEMPLATE(the_result_says_what_ran, Policy, policies) {
  const auto g = random_graph<float>(20, 0.5, 1, 9, 61);
  const auto negative = negative_graph<float>(20, 0.5, 62);
  const std::vector<int> sources{3, 1};
  apsp::matrix<float> d(2, 20);
  const auto nothing = [](std::size_t, std::span<const float>) {};
  const auto check = [](const apsp::result& done, apsp::algorithm expected) {
    BOOST_REQUIRE(done);
    BOOST_CHECK_EQUAL(to_string(done.algorithm()), to_string(expected));
    if (done.fallback_reason().empty()) {
      BOOST_CHECK(done.executed_on() == Policy::expected);
    } else {
      BOOST_CHECK(done.executed_on() == apsp::backend::omp);
      BOOST_CHECK(!runs_on_host(Policy::expected));
    }
    return done.executed_on();
  };
  for (const auto method : per_source_algorithms) {
    check(run(method, Policy::policy(), g.view(), sources, d), method);
  }
  const auto on = apsp::dijkstra(Policy::policy(), g.view(), sources, d).executed_on();
  check(apsp::for_each_row(Policy::policy(), g.view(), sources, nothing),
        runs_on_host(on) ? apsp::algorithm::dijkstra : apsp::algorithm::bellman_ford);
  check(apsp::for_each_row(Policy::policy(), negative.view(), sources, nothing),
        apsp::algorithm::johnson);
  for (const auto method : algorithms_for_negative_weights) {
    check(run(method, Policy::policy(), negative.view(), sources, d), method);
  }
  const auto cycle = make_graph<float>(2, {{0, 1, 1.0f}, {1, 0, -2.0f}});
  apsp::matrix<float> two(2);
  for (const auto method : algorithms_for_negative_weights) {
    const auto done = run(method, Policy::policy(), cycle.view(), two);
    BOOST_CHECK(!done);
    BOOST_CHECK_EQUAL(to_string(done.algorithm()), to_string(method));
    check_negative_cycle(cycle, done.negative_cycle());
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there) {
  const auto g = random_graph<float>(10, 0.5, 1, 9, 1);
  const auto nowhere = apsp::cuda_tiled.device(1000);
  for (const auto method : per_source_algorithms) {
    apsp::matrix<float> d(10, 10, 42.0f);
    message_of<apsp::device_error>(
        [&] { static_cast<void>(run(method, nowhere.required(), g.view(), d)); });
    BOOST_CHECK(holds_only(d, 42));
    const auto done = run(method, nowhere, g.view(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(!done.fallback_reason().empty());
    check_distances(g, d);
  }
}

BOOST_AUTO_TEST_CASE(types_without_kernels_run_on_the_host) {
  const auto g = negative_graph<long double>(70, 0.1, 6);
  apsp::matrix<long double> d(g.n);
  apsp::matrix<int> p(g.n);
  for (const auto method : algorithms_for_negative_weights) {
    const auto done = run(method, apsp::cuda_tiled, g.view(), d, p);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(contains(done.fallback_reason(), "weight type"));
    check_distances(g, d);
    check_trees<long double>(lightest_arcs(g), all_vertices(g.n), d, p);
    message_of<apsp::device_error>(
        [&] { static_cast<void>(run(method, apsp::cuda_naive.required(), g.view(), d)); });
  }
}

BOOST_AUTO_TEST_CASE(sums_without_kernels_run_on_the_host) {
  const std::int64_t huge = 9'000'000'000'000'000'000;
  const auto g = make_graph<std::int64_t>(3, {{0, 1, huge}, {1, 2, huge}, {2, 0, -huge}});
  for (const auto method : algorithms_for_negative_weights) {
    apsp::matrix<std::int64_t> d(3, 3, 42);
    const auto done = run(method, apsp::cuda_naive, g.view(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(!done.fallback_reason().empty());
    BOOST_CHECK_EQUAL(d[1][0], 0);
    BOOST_CHECK_EQUAL(d[0][2], infinite<std::int64_t>);
    d = apsp::matrix<std::int64_t>(3, 3, 42);
    message_of<apsp::device_error>(
        [&] { static_cast<void>(run(method, apsp::cuda_tiled.required(), g.view(), d)); });
    BOOST_CHECK(holds_only(d, 42));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_relaxation_strategy, Weight, weight_types) {
#ifdef APSP_TEST_ON_DEVICE
  const auto policy = apsp::cuda_naive.required();
#else
  const auto policy = apsp::cuda_naive;
#endif
  const auto check = [&](const arc_list<Weight>& g) {
    const auto expected = oracle_distances(g);
    BOOST_REQUIRE(expected.has_value());
    const auto lightest = lightest_arcs(g);
    for (const auto kind :
         {apsp::relaxations::scatter_and_check, apsp::relaxations::by_edge,
          apsp::relaxations::by_incoming_edges, apsp::relaxations::by_outgoing_edges}) {
      for (const int edges : {1, 4, 7}) {
        BOOST_TEST_CONTEXT("kind " << static_cast<int>(kind) << ", " << edges
                                   << " edges per thread") {
          apsp::matrix<Weight> d(g.n);
          apsp::matrix<int> p(g.n);
          BOOST_REQUIRE(apsp::bellman_ford(policy.relax({kind, edges}), g.view(), d, p));
          check_rows<Weight>(*expected, d);
          check_trees<Weight>(lightest, all_vertices(g.n), d, p);
        }
      }
    }
  };
  BOOST_TEST_CONTEXT("random, seed = 71") {
    check(random_graph<Weight>(130, 0.05, 0, 99, 71));
  }
  BOOST_TEST_CONTEXT("negative, seed = 72") {
    check(negative_graph<Weight>(97, 0.1, 72));
  }
  BOOST_TEST_CONTEXT("ring, seed = 73") {
    check(to_arcs<Weight>(ring_graph<std::int32_t>(65, ring_kind::directed, 9, 73)));
  }
  BOOST_TEST_CONTEXT("no arcs") {
    check(make_graph<Weight>(33, {}));
  }
  BOOST_CHECK_THROW(static_cast<void>(apsp::cuda_naive.relax({apsp::relaxations::by_edge, 0})),
                    std::invalid_argument);
}

// Kinds of graphs and results.

BOOST_AUTO_TEST_CASE_TEMPLATE(graphs_of_any_kind, With, policies_and_weights) {
  using T = typename With::weight;
  const auto arcs = random_graph<T>(70, 0.1, 1, 99, 91);
  const auto expected = *oracle_distances(arcs);
  apsp::matrix<T> d(arcs.n);
  const auto csr = rmat_graph<T>(70, 5, 99, 92);
  const auto expected_csr = *oracle_distances(to_arcs<T>(csr));
  apsp::matrix<T> dense(arcs.n, arcs.n, infinite<T>);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    dense[static_cast<std::size_t>(arcs.sources[k])][static_cast<std::size_t>(arcs.targets[k])] =
        arcs.weights[k];
  }
  for (const auto method : per_source_algorithms) {
    BOOST_REQUIRE(run(method, With::policy(), csr.view(), d));
    check_rows<T>(expected_csr, d);
    BOOST_REQUIRE(run(method, With::policy(), std::as_const(dense), d));
    check_rows<T>(expected, d);
    BOOST_REQUIRE(run(method, With::policy(), apsp::reversed(dense), d));
    for (std::size_t u = 0; u < arcs.n; ++u) {
      for (std::size_t v = 0; v < arcs.n; ++v) {
        BOOST_REQUIRE(same_distance<T>(d[u][v], expected[v][u]));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_may_be_one_matrix, With,
                              in_places<policies_and_weights>) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<T>(90, 0.1, 94) : random_graph<T>(90, 0.1, 1, 99, 93);
    const auto expected = *oracle_distances(g);
    const auto m = dense_form(g);
    for (const auto method : per_source_algorithms) {
      if (negative && method == apsp::algorithm::dijkstra) continue;
      BOOST_TEST_CONTEXT(to_string(method) << ", negative weights: " << negative) {
        auto in_place = With::results::put(m);
        auto p = wrong_results<With, std::int32_t>(g.n);
        BOOST_REQUIRE(run(method, With::policy(), in_place, in_place, p));
        check_rows<T>(expected, to_host(in_place));
        check_trees<T>(lightest_arcs(g), all_vertices(g.n), to_host(in_place), to_host(p));
        // The gaps between the rows are not written.
        matrix_part<typename With::results, T> memory(m, 20);
        auto part = memory.view();
        BOOST_REQUIRE(run(method, With::policy(), part, part));
        check_rows<T>(expected, memory.to_host());
        BOOST_CHECK(memory.is_untouched_around());

        apsp::matrix<T> turned = m;
        BOOST_REQUIRE(run(method, With::policy(), apsp::reversed(turned), turned));
        for (std::size_t u = 0; u < g.n; ++u) {
          for (std::size_t v = 0; v < g.n; ++v) {
            BOOST_REQUIRE(same_distance<T>(turned[u][v], expected[v][u]));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_several_threads, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = negative_graph<T>(120, 0.1, 95);
  const auto expected = *oracle_distances(g);
  constexpr std::size_t callers = 4;
  std::vector<apsp::matrix<T>> all(callers);
  std::vector<apsp::matrix<int>> trees(callers);
  std::vector<std::size_t> calls(callers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        all[i] = apsp::matrix<T>(g.n);
        trees[i] = apsp::matrix<int>(g.n);
        const auto method = algorithms_for_negative_weights[i % 2];
        static_cast<void>(run(method, With::policy(), g.view(), all[i], trees[i]));
        static_cast<void>(apsp::for_each_row(With::policy(), g.view(), std::vector<int>{1, 2},
                                             [&](std::size_t, std::span<const T>) { ++calls[i]; }));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < callers; ++i) {
    check_rows<T>(expected, all[i]);
    check_trees<T>(lightest_arcs(g), all_vertices(g.n), all[i], trees[i]);
    BOOST_CHECK_EQUAL(calls[i], 6u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(small_distances_beside_large_cycles, Policy, policies) {
  // Cycles of length 0 with weights of 1e4, and one arc of 0.001 that their rounding must not hide.
  random_numbers random(44);
  arc_list<float> g{40, {}, {}, {}};
  std::vector<float> height(30);
  for (auto& h : height) h = static_cast<float>(random(-100000, 100000)) / 10;
  for (std::size_t u = 0; u < 30; ++u) {
    for (std::size_t v = 0; v < 30; ++v) {
      if (u != v) g.add(u, v, height[u] - height[v]);
    }
  }
  g.add(35, 36, 0.001f);
  for (const auto method : algorithms_for_negative_weights) {
    BOOST_TEST_CONTEXT(to_string(method) << ", seed = 44") {
      apsp::matrix<float> d(g.n);
      apsp::matrix<int> p(g.n);
      BOOST_REQUIRE(run(method, Policy::policy(), g.view(), d, p));
      BOOST_CHECK_EQUAL(d[35][36], 0.001f);
      for (std::size_t u = 0; u < 30; ++u) {
        BOOST_REQUIRE_EQUAL(d[u][u], 0.0f);
        BOOST_REQUIRE_EQUAL(p[u][u], -1);
        for (std::size_t v = 0; v < 30; ++v) {
          BOOST_REQUIRE_SMALL(d[u][v] - (height[u] - height[v]), 0.05f);
          BOOST_REQUIRE(!apsp::path(p, u, v).empty());
        }
      }
    }
  }
}

namespace {

// A user-defined weight type with a largest value, whose sums can throw.
struct metres {
  int value = 0;
  friend metres operator+(metres a, metres b) {
    if (a.value > 1000 || b.value > 1000) throw std::overflow_error("too far");
    return {a.value + b.value};
  }
  friend metres operator-(metres a, metres b) { return {a.value - b.value}; }
  friend auto operator<=>(metres, metres) = default;
};

}  // namespace

template <>
struct std::numeric_limits<metres> {
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = false;
  static constexpr metres max() { return {1'000'000}; }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_of_the_users_type, Policy, policies) {
  if constexpr (runs_on_host(Policy::expected)) {
    const auto check = [](const arc_list<int>& numbers, const auto& methods) {
      arc_list<metres> g{numbers.n, numbers.sources, numbers.targets, {}};
      for (const int w : numbers.weights) g.weights.push_back({w});
      const auto expected = *oracle_distances(numbers);
      for (const auto method : methods) {
        BOOST_TEST_CONTEXT(to_string(method)) {
          apsp::matrix<metres> d(g.n);
          apsp::matrix<int> p(g.n);
          BOOST_REQUIRE(run(method, Policy::policy(), g.view(), d, p));
          apsp::matrix<int> values(g.n);
          for (std::size_t u = 0; u < g.n; ++u) {
            for (std::size_t v = 0; v < g.n; ++v) {
              const bool reachable = d[u][v] != apsp::unreachable<metres>;
              values[u][v] = reachable ? d[u][v].value : infinite<int>;
            }
          }
          check_rows<int>(expected, values);
          check_trees<int>(lightest_arcs(numbers), all_vertices(g.n), values, p);
        }
      }
      // An exception from a sum leaves the call.
      for (auto& w : g.weights) w.value += 2000;
      apsp::matrix<metres> d(g.n);
      for (const auto method : methods) {
        BOOST_CHECK_THROW(static_cast<void>(run(method, Policy::policy(), g.view(), d)),
                          std::overflow_error);
      }
    };
    BOOST_TEST_CONTEXT("random, seed = 12") {
      check(random_graph<int>(100, 0.05, 1, 9, 12), per_source_algorithms);
    }
    BOOST_TEST_CONTEXT("negative, seed = 13") {
      check(negative_graph<int>(60, 0.1, 13), algorithms_for_negative_weights);
    }
  }
}
