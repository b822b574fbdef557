// SPDX-License-Identifier: BSL-1.0
// Tests of edge cases for all policies: empty graphs, zero weights, sums that do not fit, invalid input, and
// calls from several threads.
#define BOOST_TEST_MODULE contract
#include <boost/test/unit_test.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/weighted.hpp>
#include <atomic>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

template <class T>
constexpr T infinite = apsp::unreachable<T>;

template <class With, class T>
apsp::matrix<T> solve(const arc_list<T>& arcs) {
  apsp::matrix<T> distances(arcs.n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), arcs.view(), distances));
  return distances;
}

// A ring that writes down how many threads read it at once.
struct watched_ring {
  std::size_t n;
  std::atomic<int>* largest_team;
};

}  // namespace

#ifdef _OPENMP
template <>
struct apsp::graph_adaptor<watched_ring> {
  using weight_type = float;
  static std::size_t num_vertices(const watched_ring& g) { return g.n; }
  template <class F>
  static void for_each_edge(const watched_ring& g, F f) {
    for (std::size_t u = 0; u < g.n; ++u) f(u, (u + 1) % g.n, 1.0f);
  }
  template <class F>
  static void for_each_out_edge(const watched_ring& g, std::size_t u, F f) {
    const int team = omp_get_num_threads();
    int largest = *g.largest_team;
    while (largest < team && !g.largest_team->compare_exchange_weak(largest, team)) {
    }
    f((u + 1) % g.n, 1.0f);
  }
};
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(no_vertices, With, policies_and_weights) {
  using T = typename With::weight;
  const arc_list<T> nothing;
  apsp::matrix<T> distances;
  apsp::matrix<int> predecessors;
  BOOST_CHECK(apsp::floyd_warshall(With::policy(), nothing.view(), distances));
  BOOST_CHECK(apsp::floyd_warshall(With::policy(), nothing.view(), distances, predecessors));
  std::vector<std::vector<T>> rows;
  BOOST_CHECK(apsp::floyd_warshall(With::policy(), nothing.view(), rows));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_vertex, With, policies_and_weights) {
  using T = typename With::weight;
  BOOST_CHECK(solve<With>(make_graph<T>(1, {}))[0][0] == T{0});
  BOOST_CHECK(solve<With>(make_graph<T>(1, {{0, 0, T{5}}}))[0][0] == T{0});
  apsp::matrix<T> distances(1);
  const auto negative = make_graph<T>(1, {{0, 0, T{-1}}});
  const auto done = apsp::floyd_warshall(With::policy(), negative.view(), distances);
  BOOST_CHECK(!done);
  BOOST_CHECK((done.negative_cycle() == std::vector<std::size_t>{0, 0}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parallel_edges_and_self_loops, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(3, {{0, 1, T{9}},
                                   {0, 1, T{4}},
                                   {0, 1, T{7}},
                                   {1, 1, T{3}},
                                   {1, 2, T{0}},
                                   {2, 2, T{0}},
                                   {1, 2, T{6}}});
  const auto d = solve<With>(g);
  check_distances(g, d);
  BOOST_CHECK(d[0][2] == T{4});
  BOOST_CHECK(d[2][0] == infinite<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_of_unreachable_weight_are_no_edges, With,
                              policies_and_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(2, {{0, 1, infinite<T>}, {1, 0, T{2}}});
  const auto d = solve<With>(g);
  BOOST_CHECK(d[0][1] == infinite<T>);
  BOOST_CHECK(d[1][0] == T{2});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unreachable_plus_negative_stays_unreachable, With,
                              policies_and_weights) {
  using T = typename With::weight;
  // Two components of several tiles, with negative weights in both.
  auto g = negative_graph<T>(260, 0.1, 4);
  arc_list<T> split{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.sources[k] % 2 == g.targets[k] % 2) {
      split.add(static_cast<std::size_t>(g.sources[k]), static_cast<std::size_t>(g.targets[k]),
                g.weights[k]);
    }
  }
  apsp::matrix<T> d(split.n);
  apsp::matrix<int> p(split.n);
  BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), split.view(), d, p));
  for (std::size_t u = 0; u < split.n; ++u) {
    for (std::size_t v = 1 - u % 2; v < split.n; v += 2) BOOST_REQUIRE(d[u][v] == infinite<T>);
  }
  check_distances(split, d);
  check_predecessors(split, d, p);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(zero_cycles_give_trees, With, policies_and_weights) {
  using T = typename With::weight;
  // All weights are 0, so wrong predecessors could form cycles.
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      const auto g = random_graph<T>(150, 0.05, 0, 1, seed);
      apsp::matrix<T> d(g.n);
      apsp::matrix<std::int64_t> p(g.n);
      BOOST_REQUIRE(apsp::floyd_warshall(With::policy(), g.view(), d, p));
      check_distances(g, d);
      check_predecessors(g, d, p);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit_saturate, Policy, policies) {
  const auto g = make_graph<std::int32_t>(
      4, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}, {2, 3, -2'000'000'000}});
  apsp::matrix<std::int32_t> d(4);
  apsp::matrix<std::int32_t> p(4);
  const auto done = apsp::floyd_warshall(Policy::policy(), g.view(), d, p);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.saturated());
  BOOST_CHECK_EQUAL(d[0][2], infinite<std::int32_t>);
  BOOST_CHECK_EQUAL(d[0][3], 2'000'000'000);  // the sum fits again
  BOOST_CHECK_EQUAL(d[1][3], 0);
  BOOST_CHECK_EQUAL(d[3][0], infinite<std::int32_t>);
  BOOST_CHECK((apsp::path(p, 0, 3) == std::vector<std::size_t>{0, 1, 2, 3}));

  const std::int64_t large = 9'000'000'000'000'000'000;
  const auto h = make_graph<std::int64_t>(3, {{0, 1, large}, {1, 2, large}, {2, 0, -large}});
  apsp::matrix<std::int64_t> e(3);
  const auto wide = apsp::floyd_warshall(Policy::policy(), h.view(), e);
  BOOST_REQUIRE(wide);
  BOOST_CHECK(wide.saturated());
  BOOST_CHECK_EQUAL(e[0][2], infinite<std::int64_t>);
  BOOST_CHECK_EQUAL(e[1][0], 0);
  BOOST_CHECK(wide.executed_on() == done.executed_on());

  const auto down = make_graph<std::int32_t>(3, {{0, 1, -2'000'000'000}, {1, 2, -2'000'000'000}});
  const auto sunk = apsp::floyd_warshall(Policy::policy(), down.view(), d = apsp::matrix<int>(3));
  BOOST_REQUIRE(sunk);
  BOOST_CHECK(sunk.saturated());
  BOOST_CHECK_EQUAL(d[0][2], std::numeric_limits<std::int32_t>::lowest());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_along_a_chain, Policy, in_places<policies>) {
  const auto check = []<class T>(T heavy) {
    constexpr std::size_t n = 40;
    arc_list<T> g{n, {}, {}, {}};
    for (std::size_t v = 0; v + 1 < n; ++v) {
      g.add(v, v + 1, v % 13 == 0 ? heavy : T(1));
      g.add(v, v + 1, v % 13 == 0 ? heavy - 1 : T(2));
    }
    // The sums along the only paths, unreachable where they do not fit.
    apsp::matrix<T> expected(n, n, infinite<T>);
    bool is_cut = false;
    for (std::size_t u = 0; u < n; ++u) {
      expected[u][u] = 0;
      for (std::size_t v = u; v + 1 < n; ++v) {
        const T w = v % 13 == 0 ? heavy - 1 : T(1);
        if (w >= infinite<T> - expected[u][v]) {
          is_cut = true;
          break;
        }
        expected[u][v + 1] = expected[u][v] + w;
      }
    }
    auto near = expected;
    for (T& entry : near) {
      if (entry > 10) entry = infinite<T>;
    }
    Policy::graphs::in_all_forms(g, [&](const auto& graph) {
      auto d = wrong_results<Policy, T>(n);
      const auto done = apsp::floyd_warshall(Policy::policy(), graph, d);
      BOOST_REQUIRE(done);
      BOOST_CHECK_EQUAL(done.saturated(), is_cut);
      BOOST_CHECK(to_host(d) == expected);
      d = wrong_results<Policy, T>(n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy().cutoff(10), graph, d));
      BOOST_CHECK(to_host(d) == near);
    });
    return is_cut;
  };
  constexpr auto most = (std::numeric_limits<std::int32_t>::max)();
  constexpr auto most_of_64 = (std::numeric_limits<std::int64_t>::max)();
  BOOST_CHECK(!check(std::int32_t{most / 8}));
  BOOST_CHECK(check(std::int32_t{most / 2}));
  BOOST_CHECK(!check(std::int64_t{most_of_64 / 8}));
  BOOST_CHECK(check(std::int64_t{most_of_64 / 2}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_near_the_limits_are_exact, Policy, policies) {
  for (const std::int32_t low : {1, -1000}) {
    for (const std::int32_t high : {1 << 22, 1 << 26, (1 << 30) + 5}) {
      BOOST_TEST_CONTEXT("weights in " << low << ".." << high << ", seed = 77") {
        // Only arcs to larger vertices may be negative, so no cycle is negative.
        auto g = random_graph<std::int32_t>(140, 0.04, low, high, 77);
        for (std::size_t k = 0; k < g.size(); ++k) {
          if (g.sources[k] > g.targets[k]) g.weights[k] = high;
        }
        apsp::matrix<std::int32_t> d(g.n);
        const auto done = apsp::floyd_warshall(Policy::policy(), g.view(), d);
        BOOST_REQUIRE(done);
        const auto expected = oracle_distances(g);
        BOOST_REQUIRE(expected.has_value());
        bool saturated = false;
        for (std::size_t u = 0; u < g.n; ++u) {
          for (std::size_t v = 0; v < g.n; ++v) {
            const std::int64_t e = (*expected)[u][v];
            const bool fits = e < infinite<std::int32_t>;
            saturated = saturated || (!fits && e != wide_unreachable<std::int32_t>);
            BOOST_REQUIRE_EQUAL(d[u][v], fits ? e : infinite<std::int32_t>);
          }
        }
        BOOST_CHECK_EQUAL(done.saturated(), saturated);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bad_input_leaves_the_output_untouched, With, policies_and_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, const std::string& says) {
    apsp::matrix<T> d(g.n, g.n, T{42});
    apsp::matrix<int> p(g.n, g.n, 42);
    const auto message = message_of<std::invalid_argument>(
        [&] { static_cast<void>(apsp::floyd_warshall(With::policy(), g.view(), d, p)); });
    BOOST_CHECK_MESSAGE(contains(message, says), message);
    BOOST_CHECK(std::all_of(d.begin(), d.end(), [](T x) { return x == T{42}; }));
    BOOST_CHECK(std::all_of(p.begin(), p.end(), [](int x) { return x == 42; }));
  };
  check(make_graph<T>(3, {{0, 1, T{1}}, {1, 3, T{1}}}), "1 -> 3");
  check(make_graph<T>(3, {{0, 1, T{1}}, {-1, 2, T{1}}}), "-1 -> 2");
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
    check(make_graph<T>(3, {{0, 1, T{1}}, {2, 1, std::numeric_limits<T>::quiet_NaN()}}), "NaN");
    check(make_graph<T>(3, {{2, 1, -std::numeric_limits<T>::infinity()}}), "minus infinity");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wrong_shapes_are_refused, Policy, policies) {
  const auto g = random_graph<float>(5, 0.5, 1, 9, 1);
  const auto refused = [&](auto&& distances, const std::string& says) {
    const auto message = message_of<std::invalid_argument>(
        [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), g.view(), distances)); });
    BOOST_CHECK_MESSAGE(contains(message, says), message);
  };
  refused(apsp::matrix<float>(4), "4 x 4, not 5 x 5");
  refused(apsp::matrix<float>(5, 6), "5 x 6");
  refused(apsp::matrix<float>(), "0 x 0");
  refused(std::vector<std::vector<float>>(5), "5 x 0");
  std::vector<std::vector<float>> ragged(5, std::vector<float>(5));
  ragged[3].resize(4);
  refused(ragged, "unequal");
  apsp::matrix<float> d(5, 5, 42.0f);
  apsp::matrix<int> narrow(4);
  message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), g.view(), d, narrow)); });
  BOOST_CHECK(std::all_of(d.begin(), d.end(), [](float x) { return x == 42.0f; }));

  const auto big = random_graph<float>(200, 0.1, 1, 9, 1);
  apsp::matrix<float> e(200, 200, 42.0f);
  apsp::matrix<std::int8_t> bytes(200);
  message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), big.view(), e, bytes)); });
  BOOST_CHECK(std::all_of(e.begin(), e.end(), [](float x) { return x == 42.0f; }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_are_converted, Policy, policies) {
  const auto g = random_graph<std::int64_t>(40, 0.2, 1, 99, 8);
  apsp::matrix<double> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
  apsp::matrix<std::int64_t> e(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), e));
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t v = 0; v < g.n; ++v) {
      BOOST_REQUIRE(e[u][v] == infinite<std::int64_t> ? d[u][v] == infinite<double>
                                                      : d[u][v] == static_cast<double>(e[u][v]));
    }
  }
  const auto large = make_graph<std::int64_t>(2, {{0, 1, std::int64_t{1} << 40}});
  apsp::matrix<std::int32_t> narrow(2);
  const auto message = message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), large.view(), narrow)); });
  BOOST_CHECK_MESSAGE(contains(message, "0 -> 1"), message);
}

// The same rule as for graph files, see file_weights_test.cpp.
BOOST_AUTO_TEST_CASE_TEMPLATE(weights_are_rounded_within_the_range, Policy, policies) {
  const auto distance = [](auto weight, auto type) {
    apsp::matrix<decltype(type)> d(2);
    const auto g = make_graph<decltype(weight)>(2, {{0, 1, weight}});
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
    return d[0][1];
  };
  BOOST_CHECK_EQUAL(distance(16777217, float{}), 16777216.0F);
  BOOST_CHECK_EQUAL(distance((std::int64_t{1} << 53) + 1, double{}), 0x1p53);
  BOOST_CHECK_EQUAL(distance(0.1, float{}), 0.1F);
  BOOST_CHECK_EQUAL(distance(1e-45, float{}), std::numeric_limits<float>::denorm_min());
  BOOST_CHECK_EQUAL(distance(0.0, float{}), 0.0F);

  const auto refused = [&](auto weight, auto type) {
    const auto message = message_of<std::invalid_argument>([&] { distance(weight, type); });
    BOOST_CHECK_MESSAGE(contains(message, "out of the range of the distances"), message);
  };
  refused(1e39, float{});
  refused(1e-60, float{});
  refused(-1e-60, float{});
  refused(1e-320, float{});
  if constexpr (std::numeric_limits<long double>::min_exponent10 < -4900) {
    refused(1e-4900L, double{});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_several_threads, With, policies_and_weights) {
  using T = typename With::weight;
  const auto g = random_graph<T>(150, 0.1, 1, 99, 41);
  const auto expected = solve<With>(g);
  std::vector<apsp::matrix<T>> all(4);
  std::vector<std::thread> threads;
  for (auto& d : all) {
    threads.emplace_back([&g, &d] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        d = apsp::matrix<T>(g.n);
        static_cast<void>(apsp::floyd_warshall(With::policy(), g.view(), d));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& d : all) BOOST_CHECK(d == expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_result_says_what_ran, Policy, policies) {
  const auto g = random_graph<float>(10, 0.5, 1, 9, 1);
  apsp::matrix<float> d(10);
  const auto done = apsp::floyd_warshall(Policy::policy(), g.view(), d);
  BOOST_CHECK(done && done.outcome() == apsp::outcome::solved);
  BOOST_CHECK(done.algorithm() == apsp::algorithm::floyd_warshall);
  if (done.fallback_reason().empty()) {
    BOOST_CHECK(done.executed_on() == Policy::expected);
  } else {
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(Policy::expected == apsp::backend::cuda_naive ||
                Policy::expected == apsp::backend::cuda_tiled);
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there) {
  const auto g = random_graph<float>(10, 0.5, 1, 9, 1);
  apsp::matrix<float> d(10, 10, 42.0f);
  const auto nowhere = apsp::cuda_tiled.device(1000);
  message_of<apsp::device_error>(
      [&] { static_cast<void>(apsp::floyd_warshall(nowhere.required(), g.view(), d)); });
  BOOST_CHECK(std::all_of(d.begin(), d.end(), [](float x) { return x == 42.0f; }));
  const auto done = apsp::floyd_warshall(nowhere, g.view(), d);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::omp);
  BOOST_CHECK(!done.fallback_reason().empty());
  check_distances(g, d);
}

BOOST_AUTO_TEST_CASE(types_without_kernels_run_on_the_host) {
  const auto g = random_graph<long double>(70, 0.1, 1, 99, 6);
  apsp::matrix<long double> d(g.n);
  apsp::matrix<int> p(g.n);
  const auto done = apsp::floyd_warshall(apsp::cuda_tiled, g.view(), d, p);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.executed_on() == apsp::backend::omp);
  BOOST_CHECK(contains(done.fallback_reason(), "weight type"));
  check_distances(g, d);
  check_predecessors(g, d, p);
  message_of<apsp::device_error>(
      [&] { static_cast<void>(apsp::floyd_warshall(apsp::cuda_naive.required(), g.view(), d)); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_integer_type, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const auto wide = random_graph<std::int64_t>(60, 0.1, 1, 20, 9);
    arc_list<T> g{wide.n, wide.sources, wide.targets, {}};
    for (const auto w : wide.weights) g.weights.push_back(static_cast<T>(w));
    const auto expected = oracle_distances(wide);
    BOOST_REQUIRE(expected.has_value());
    apsp::matrix<T> d(g.n);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
    for (std::size_t u = 0; u < g.n; ++u) {
      for (std::size_t v = 0; v < g.n; ++v) {
        const std::int64_t e = (*expected)[u][v];
        const bool reachable = e != wide_unreachable<std::int64_t>;
        BOOST_REQUIRE(d[u][v] == (reachable ? static_cast<T>(e) : infinite<T>));
      }
    }
  };
  check(std::int8_t{});
  check(std::uint8_t{});
  check(std::int16_t{});
  check(std::uint16_t{});
  check(std::uint32_t{});
  check(std::uint64_t{});
  check(0LL);
  check(0ULL);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_largest_unsigned_number_is_no_vertex, Policy, policies) {
  const auto g = make_graph<int>(256, {{0, 255, 1}, {255, 1, 1}});
  apsp::matrix<int> d(256);
  apsp::matrix<std::uint8_t> p(256);
  message_of<std::invalid_argument>(
      [&] { static_cast<void>(apsp::floyd_warshall(Policy::policy(), g.view(), d, p)); });
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
  if (Policy::expected != apsp::backend::seq && Policy::expected != apsp::backend::omp) return;
  const auto numbers = random_graph<int>(150, 0.05, 1, 9, 12);
  arc_list<metres> g{numbers.n, numbers.sources, numbers.targets, {}};
  for (const int w : numbers.weights) g.weights.push_back({w});
  apsp::matrix<metres> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
  apsp::matrix<int> values(g.n);
  for (std::size_t u = 0; u < g.n; ++u) {
    for (std::size_t v = 0; v < g.n; ++v) {
      const bool reachable = d[u][v] != apsp::unreachable<metres>;
      values[u][v] = reachable ? d[u][v].value : infinite<int>;
    }
  }
  check_distances(numbers, values);
  g.weights.front().value = 2000;
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy(), g.view(), d)),
                    std::overflow_error);
}

BOOST_AUTO_TEST_CASE(paths) {
  const auto g = make_graph<int>(4, {{0, 1, 1}, {1, 2, 1}, {0, 2, 5}});
  apsp::matrix<int> d(4);
  apsp::matrix<std::uint32_t> p(4);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g.view(), d, p));
  BOOST_CHECK((apsp::path(p, 0, 2) == std::vector<std::size_t>{0, 1, 2}));
  BOOST_CHECK((apsp::path(p, 1, 1) == std::vector<std::size_t>{1}));
  BOOST_CHECK(apsp::path(p, 2, 0).empty());
  BOOST_CHECK_THROW(static_cast<void>(apsp::path(p, 0, 4)), std::out_of_range);
  p[0][1] = 2;
  p[0][2] = 1;
  BOOST_CHECK_THROW(static_cast<void>(apsp::path(p, 0, 2)), std::invalid_argument);
}

#ifdef _OPENMP
BOOST_AUTO_TEST_CASE(little_work_runs_on_one_thread) {
  const int default_threads = omp_get_max_threads();
  omp_set_num_threads(4);
  const auto largest_team = [](std::size_t n, const auto& solve) {
    std::atomic<int> largest = 0;
    const watched_ring g{n, &largest};
    apsp::matrix<float> d(n);
    const apsp::result done = solve(g, d);
    BOOST_REQUIRE(done && done.executed_on() == apsp::backend::omp);
    BOOST_CHECK_EQUAL(d[0][n - 1], static_cast<float>(n - 1));
    return largest.load();
  };
  const auto floyd_warshall = [&](const auto& policy) {
    return [&](const auto& g, auto& d) { return apsp::floyd_warshall(policy, g, d); };
  };
  const auto dijkstra = [&](const auto& policy) {
    return [&](const auto& g, auto& d) { return apsp::dijkstra(policy, g, d); };
  };
  const auto one_source = [](const auto& g, auto& d) {
    return apsp::dijkstra(apsp::omp, g, 0, std::span(d[0], d.cols()));
  };
  BOOST_CHECK_EQUAL(largest_team(128, floyd_warshall(apsp::omp)), 1);
  BOOST_CHECK_EQUAL(largest_team(300, floyd_warshall(apsp::omp)), 4);
  BOOST_CHECK_EQUAL(largest_team(128, floyd_warshall(apsp::omp.threads(3))), 3);
  BOOST_CHECK_EQUAL(largest_team(100, dijkstra(apsp::omp)), 1);
  BOOST_CHECK_EQUAL(largest_team(300, dijkstra(apsp::omp)), 4);
  BOOST_CHECK_EQUAL(largest_team(100, dijkstra(apsp::omp.threads(3))), 3);
  BOOST_CHECK_EQUAL(largest_team(2000, one_source), 1);
  omp_set_num_threads(default_threads);
}
#endif

BOOST_AUTO_TEST_CASE(policies_have_names) {
  for (const std::string_view name : apsp::policy_names) {
    const auto requested =
        apsp::with_policy(name, [](const auto& policy) { return policy.requested; });
    BOOST_CHECK_EQUAL(to_string(requested), name);
  }
  const auto g = random_graph<float>(10, 0.5, 1, 9, 1);
  apsp::matrix<float> d(10);
  const apsp::result done = apsp::with_policy(
      "omp", [&](const auto& policy) { return apsp::floyd_warshall(policy, g.view(), d); });
  BOOST_CHECK(done && done.executed_on() == apsp::backend::omp);
  for (const std::string_view name : {"", "OMP", "cuda", "omp "}) {
    check_refused<std::invalid_argument>([&] { apsp::with_policy(name, [](const auto&) {}); },
                                         "apsp: no policy is named '" + std::string(name) +
                                             "'; expected seq, omp, cuda_naive or cuda_tiled");
  }
}

BOOST_AUTO_TEST_CASE(policies_are_values) {
  constexpr auto four = apsp::omp.threads(4);
  static_assert(four.threads() == 4 && apsp::omp.threads() == 0);
  constexpr auto second = apsp::cuda_tiled.device(1).required();
  static_assert(second.device() == 1 && second.is_required() && !apsp::cuda_tiled.is_required());
  BOOST_CHECK_THROW(static_cast<void>(apsp::omp.threads(-1)), std::invalid_argument);
  BOOST_CHECK_THROW(static_cast<void>(apsp::cuda_naive.device(-1)), std::invalid_argument);
  BOOST_CHECK(to_string(apsp::backend::cuda_tiled) == "cuda_tiled");
  BOOST_CHECK(to_string(apsp::outcome::negative_cycle) == "negative_cycle");
}
