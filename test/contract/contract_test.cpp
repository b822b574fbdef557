// SPDX-License-Identifier: BSL-1.0
// Tests of edge cases for all algorithms and policies: empty graphs, zero weights, sums that do not
// fit, invalid input, the contents of the result, and calls from several threads.
#define BOOST_TEST_MODULE contract
#include <boost/test/unit_test.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/error.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/weighted.hpp>
#include <array>
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
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// A ring that writes down how many threads read it at once.
struct watched_ring {
  std::size_t n;
  std::atomic<int>* largest_team;
};

/// A user-defined weight type with a largest value, whose sums can throw.
struct metres {
  int value = 0;
  friend metres operator+(metres a, metres b) {
    if (a.value > 1000 || b.value > 1000) throw std::overflow_error("too far");
    return {a.value + b.value};
  }
  friend metres operator-(metres a, metres b) { return {a.value - b.value}; }
  friend auto operator<=>(metres, metres) = default;
};

template <class T>
arc_list<T> turned(arc_list<T> g) {
  std::swap(g.sources, g.targets);
  return g;
}

}  // namespace

template <>
struct std::numeric_limits<metres> {
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = false;
  static constexpr metres max() { return {1'000'000}; }
};

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

BOOST_AUTO_TEST_CASE_TEMPLATE(no_vertices, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const arc_list<T> nothing;
  check_all_pairs(With::policy(), nothing, all_algorithms);
  for (const auto method : all_algorithms) {
    std::vector<std::vector<T>> rows;
    BOOST_CHECK(run_all_pairs(method, With::policy(), nothing.view(), rows));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_vertex, With, policies_and_weights) {
  using T = typename With::weight;
  check_all_pairs(With::policy(), make_graph<T>(1, {}), all_algorithms);
  check_all_pairs(With::policy(), make_graph<T>(1, {{0, 0, T{5}}}), all_algorithms);
  apsp::matrix<T> distances(1);
  const auto negative = make_graph<T>(1, {{0, 0, T{-1}}});
  for (const auto method : all_algorithms_for_negative_weights) {
    const auto done = run_all_pairs(method, With::policy(), negative.view(), distances);
    BOOST_CHECK(!done);
    BOOST_CHECK((done.negative_cycle() == std::vector<std::size_t>{0, 0}));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parallel_edges_and_self_loops, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(3, {{0, 1, T{9}},
                                   {0, 1, T{4}},
                                   {0, 1, T{7}},
                                   {1, 1, T{3}},
                                   {1, 2, T{0}},
                                   {2, 2, T{0}},
                                   {1, 2, T{6}}});
  check_all_pairs(With::policy(), g, all_algorithms);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edges_of_unreachable_weight_are_no_edges, With,
                              policies_and_weights) {
  using T = typename With::weight;
  const auto g = make_graph<T>(3, {{0, 1, infinite<T>}, {1, 0, T{2}}, {0, 2, T{1}}});
  const auto without = make_graph<T>(3, {{1, 0, T{2}}, {0, 2, T{1}}});
  check_all_pairs(With::policy(), g.view(), without, all_algorithms);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unreachable_plus_negative_stays_unreachable, With,
                              policies_and_fewer_weights) {
  using T = typename With::weight;
  // Two components of several tiles, with negative weights in both.
  auto g = negative_graph<T>(260, 0.1, 4);
  arc_list<T> split{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.sources[k] % 2 == g.targets[k] % 2) {
      split.add(g.from(k), g.to(k), g.weights[k]);
    }
  }
  check_all_pairs(With::policy(), split, all_algorithms_for_negative_weights);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(zero_cycles_give_trees, With, policies_and_fewer_weights) {
  // All weights are 0, so wrong predecessors could form cycles.
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      const auto g = random_graph<typename With::weight>(150, 0.05, 0, 1, seed);
      check_all_pairs(With::policy(), g, all_algorithms);
    }
  }
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

// Invalid input.

BOOST_AUTO_TEST_CASE_TEMPLATE(bad_arcs_leave_the_output_untouched, With,
                              policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto check = [](const arc_list<T>& g, const std::string& says) {
    const std::vector<int> sources{0, 0, 2, 1};
    const auto refused = [&](auto solve, std::size_t rows) {
      apsp::matrix<T> d(rows, g.n, T{42});
      apsp::matrix<int> p(rows, g.n, 42);
      check_refused([&] { return solve(d, p); }, says);
      BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
    };
    for (const auto method : all_algorithms) {
      refused([&](auto&... to) { return run_all_pairs(method, With::policy(), g.view(), to...); },
              g.n);
    }
    for (const auto method : per_source_algorithms) {
      refused([&](auto&... to) { return run(method, With::policy(), g.view(), sources, to...); },
              sources.size());
    }
    check_refused(
        [&] {
          return apsp::for_each_row(
              With::policy(), g.view(), sources,
              [](std::size_t, std::span<const T>) { BOOST_ERROR("called for a bad graph"); });
        },
        says);
  };
  check(make_graph<T>(3, {{0, 1, T{1}}, {1, 3, T{1}}}), "1 -> 3");
  check(make_graph<T>(3, {{0, 1, T{1}}, {-1, 2, T{1}}}), "-1 -> 2");
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
    check(make_graph<T>(3, {{0, 1, T{1}}, {2, 1, std::numeric_limits<T>::quiet_NaN()}}), "NaN");
    check(make_graph<T>(3, {{2, 1, -std::numeric_limits<T>::infinity()}}), "minus infinity");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sources_out_of_range, Policy, policies) {
  const auto g = random_graph<int>(10, 0.3, 1, 9, 1);
  const auto refused = [&](const auto& sources, const std::string& says) {
    for (const auto method : per_source_algorithms) {
      apsp::matrix<int> d(std::size(sources), g.n, 42), p(std::size(sources), g.n, 42);
      check_refused([&] { return run(method, Policy::policy(), g.view(), sources, d, p); }, says);
      BOOST_CHECK(holds_only(d, 42) && holds_only(p, 42));
    }
    check_refused(
        [&] {
          return apsp::for_each_row(
              Policy::policy(), g.view(), sources,
              [](std::size_t, std::span<const int>) { BOOST_ERROR("called for a bad list"); });
        },
        says);
  };
  refused(std::vector<int>{0, 10}, "source 10");
  refused(std::vector<int>{0, -1, 2}, "source -1");
  refused(std::vector<std::int64_t>{std::int64_t{1} << 32}, "source 4294967296");
  refused(std::vector<unsigned char>{255}, "source 255");
  const arc_list<int> nothing;
  apsp::matrix<int> d(1, 0);
  check_refused(
      [&] { return apsp::dijkstra(Policy::policy(), nothing.view(), std::vector<int>{0}, d); },
      "source 0");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wrong_shapes, Policy, policies) {
  const auto g = random_graph<int>(5, 0.5, 1, 9, 1);
  const std::vector<int> two{0, 4};
  const auto refused_as_square = [&](auto&& distances, const std::string& says) {
    for (const auto method : all_algorithms) {
      check_refused([&] { return run_all_pairs(method, Policy::policy(), g.view(), distances); },
                    says);
    }
  };
  refused_as_square(apsp::matrix<int>(4), "4 x 4, not 5 x 5");
  refused_as_square(apsp::matrix<int>(5, 6), "5 x 6");
  refused_as_square(apsp::matrix<int>(2, 5), "2 x 5");
  refused_as_square(apsp::matrix<int>(), "0 x 0");
  refused_as_square(std::vector<std::vector<int>>(5), "5 x 0");
  std::vector<std::vector<int>> ragged(5, std::vector<int>(5));
  ragged[3].resize(4);
  refused_as_square(ragged, "unequal");
  const auto refused_as_rows = [&](auto&& distances, const std::string& says) {
    for (const auto method : per_source_algorithms) {
      check_refused([&] { return run(method, Policy::policy(), g.view(), two, distances); }, says);
    }
  };
  refused_as_rows(apsp::matrix<int>(5), "5 x 5, not 2 x 5");
  refused_as_rows(apsp::matrix<int>(5, 2), "5 x 2, not 2 x 5");
  refused_as_rows(apsp::matrix<int>(), "0 x 0");
  refused_as_rows(std::vector<std::vector<int>>(2), "2 x 0");
  ragged.erase(ragged.begin(), ragged.begin() + 3);
  refused_as_rows(ragged, "unequal");

  apsp::matrix<int> square(5, 5, 42), small(4, 4, 42), d(2, 5, 42), narrow(2, 4, 42);
  for (const auto method : all_algorithms) {
    check_refused([&] { return run_all_pairs(method, Policy::policy(), g.view(), square, small); });
  }
  for (const auto method : per_source_algorithms) {
    check_refused([&] { return run(method, Policy::policy(), g.view(), two, d, narrow); });
    check_refused([&] { return run(method, Policy::policy(), g.view(), two, d, d); });
  }
  BOOST_CHECK(holds_only(square, 42) && holds_only(small, 42));
  BOOST_CHECK(holds_only(d, 42) && holds_only(narrow, 42));
  std::vector<std::vector<int>> no_rows;
  BOOST_CHECK(apsp::dijkstra(Policy::policy(), g.view(), std::vector<int>{}, no_rows));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(narrow_predecessors, Policy, policies) {
  const auto solve = [](std::size_t n, auto index, bool is_refused) {
    const auto g = random_graph<int>(n, 0.02, 1, 9, 2);
    const auto check = [&](const std::vector<std::size_t>& sources, auto call) {
      apsp::matrix<int> d(sources.size(), n, 42);
      apsp::matrix<decltype(index)> p(sources.size(), n);
      if (is_refused) {
        check_refused([&] { return call(d, p); }, "too narrow for " + std::to_string(n));
        BOOST_CHECK(holds_only(d, 42));
      } else {
        BOOST_REQUIRE(call(d, p));
        check_trees<int>(lightest_arcs(g), sources, d, p);
      }
    };
    check(all_vertices(n),
          [&](auto& d, auto& p) { return apsp::floyd_warshall(Policy::policy(), g.view(), d, p); });
    const std::vector<std::size_t> sources{0, n - 1};
    check(sources, [&](auto& d, auto& p) {
      return apsp::johnson(Policy::policy(), g.view(), sources, d, p);
    });
  };
  solve(128, std::int8_t{}, false);
  solve(129, std::int8_t{}, true);
  solve(255, std::uint8_t{}, false);
  // The largest number is no vertex.
  solve(256, std::uint8_t{}, true);
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
        [&] { return apsp::dijkstra(With::policy(), g.view(), outputs...); });
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
  check_refused(
      [&] { return apsp::dijkstra(With::policy(), loop.view(), std::vector<int>{}, none); },
      "1 -> 1");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_are_converted, Policy, policies) {
  const auto g = random_graph<std::int64_t>(40, 0.2, 1, 99, 8);
  apsp::matrix<double> d(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), d));
  apsp::matrix<std::int64_t> e(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g.view(), e));
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE(e[u][v] == infinite<std::int64_t> ? d[u][v] == infinite<double>
                                                    : d[u][v] == static_cast<double>(e[u][v]));
  });
  const auto large = make_graph<std::int64_t>(2, {{0, 1, std::int64_t{1} << 40}});
  apsp::matrix<std::int32_t> narrow(2);
  check_refused([&] { return apsp::floyd_warshall(Policy::policy(), large.view(), narrow); },
                "0 -> 1");
}

// The same rule as for graph files, see files_test.cpp.
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
    check_refused([&] { return distance(weight, type); }, "out of the range of the distances");
  };
  refused(1e39, float{});
  refused(1e-60, float{});
  refused(-1e-60, float{});
  refused(1e-320, float{});
  if constexpr (std::numeric_limits<long double>::min_exponent10 < -4900) {
    refused(1e-4900L, double{});
  }
}

#ifndef APSP_TEST_ON_DEVICE
// A row depends only on the graph and its source, not on the rows that a thread has solved before.
// Among paths of equal reweighted length, whose lengths are rounded differently, the same one is
// chosen.
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
    const apsp::result done = apsp::johnson(Policy::policy(), g.view(), again, hops);
    BOOST_REQUIRE(bool(done));
    // A policy that may fall back runs on a device if there is one.
    if (!runs_on_host(done.executed_on())) return;
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
  apsp::matrix<float> d(2, 20), all(20);
  const auto nothing = [](std::size_t, std::span<const float>) {};
  const auto check = [](const apsp::result& done, apsp::algorithm expected) {
    BOOST_REQUIRE(done && done.outcome() == apsp::outcome::solved);
    BOOST_CHECK_EQUAL(to_string(done.algorithm()), to_string(expected));
    const bool falls_back = !done.fallback_reason().empty();
    BOOST_CHECK(done.executed_on() == (falls_back ? apsp::backend::omp : Policy::expected));
    BOOST_CHECK(!falls_back || !runs_on_host(Policy::expected));
    return done.executed_on();
  };
  for (const auto method : all_algorithms) {
    check(run_all_pairs(method, Policy::policy(), g.view(), all), method);
  }
  for (const auto method : per_source_algorithms) {
    check(run(method, Policy::policy(), g.view(), sources, d), method);
  }
  const auto on = apsp::dijkstra(Policy::policy(), g.view(), sources, d).executed_on();
  check(
      apsp::for_each_row(Policy::policy(), g.view(), sources, nothing),
      on == apsp::backend::cuda_naive ? apsp::algorithm::bellman_ford : apsp::algorithm::dijkstra);
  check(apsp::for_each_row(Policy::policy(), negative.view(), sources, nothing),
        apsp::algorithm::johnson);
  for (const auto method : algorithms_for_negative_weights) {
    check(run(method, Policy::policy(), negative.view(), sources, d), method);
  }
  const auto cycle = make_graph<float>(2, {{0, 1, 1.0f}, {1, 0, -2.0f}});
  apsp::matrix<float> two(2);
  for (const auto method : all_algorithms_for_negative_weights) {
    const auto done = run_all_pairs(method, Policy::policy(), cycle.view(), two);
    BOOST_CHECK(!done);
    BOOST_CHECK_EQUAL(to_string(done.algorithm()), to_string(method));
    check_negative_cycle(cycle, done.negative_cycle());
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there) {
  const auto g = random_graph<float>(10, 0.5, 1, 9, 1);
  const auto nowhere = apsp::cuda_tiled.device(1000);
  for (const auto method : all_algorithms) {
    apsp::matrix<float> d(10, 10, 42.0f);
    check_refused<apsp::device_error>(
        [&] { return run_all_pairs(method, nowhere.required(), g.view(), d); });
    BOOST_CHECK(holds_only(d, 42));
    const auto done = run_all_pairs(method, nowhere, g.view(), d);
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(!done.fallback_reason().empty());
    check_distances(g, d);
  }
}

BOOST_AUTO_TEST_CASE(types_without_kernels_run_on_the_host) {
  const auto g = negative_graph<long double>(70, 0.1, 6);
  check_all_pairs(apsp::cuda_tiled, g, all_algorithms_for_negative_weights);
  apsp::matrix<long double> d(g.n);
  apsp::matrix<int> p(g.n);
  for (const auto method : all_algorithms_for_negative_weights) {
    const auto done = run_all_pairs(method, apsp::cuda_tiled, g.view(), d, p);
    BOOST_CHECK(done.executed_on() == apsp::backend::omp);
    BOOST_CHECK(contains(done.fallback_reason(), "weight type"));
    check_refused<apsp::device_error>(
        [&] { return run_all_pairs(method, apsp::cuda_naive.required(), g.view(), d); });
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
    check_refused<apsp::device_error>(
        [&] { return run(method, apsp::cuda_tiled.required(), g.view(), d); });
    BOOST_CHECK(holds_only(d, 42));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_relaxation_strategy, Weight, fewer_weight_types) {
#ifdef APSP_TEST_ON_DEVICE
  const auto policy = apsp::cuda_naive.required();
#else
  const auto policy = apsp::cuda_naive;
#endif
  const auto check = [&](const char* name, const arc_list<Weight>& g) {
    for (const auto kind :
         {apsp::relaxations::scatter_and_check, apsp::relaxations::by_edge,
          apsp::relaxations::by_incoming_edges, apsp::relaxations::by_outgoing_edges}) {
      for (const int edges : {1, 4, 7}) {
        if (is_short && edges != 4 && !std::is_same_v<Weight, float>) continue;
        BOOST_TEST_CONTEXT(name << ", kind " << static_cast<int>(kind) << ", " << edges
                                << " edges per thread") {
          check_all_pairs(policy.relax({kind, edges}), g,
                          std::array{apsp::algorithm::bellman_ford});
        }
      }
    }
  };
  check("random, seed = 71", random_graph<Weight>(130, 0.05, 0, 99, 71));
  check("negative, seed = 72", negative_graph<Weight>(97, 0.1, 72));
  check("ring, seed = 73",
        to_arcs<Weight>(ring_graph<std::int32_t>(is_short ? 33 : 65, ring_kind::directed, 9, 73)));
  check("no arcs", make_graph<Weight>(33, {}));
  check_refused([&] { return apsp::cuda_naive.relax({apsp::relaxations::by_edge, 0}); });
}

// Kinds of graphs and results.

BOOST_AUTO_TEST_CASE_TEMPLATE(graphs_of_any_kind, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto csr = rmat_graph<T>(70, 5, 99, 92);
  check_all_pairs(With::policy(), csr.view(), to_arcs<T>(csr), per_source_algorithms);
  const auto arcs = random_graph<T>(70, 0.1, 1, 99, 91);
  const auto dense = dense_form(arcs);
  check_all_pairs(With::policy(), dense, arcs, per_source_algorithms);
  check_all_pairs(With::policy(), apsp::reversed(dense), turned(arcs), per_source_algorithms);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_and_result_may_be_one_matrix, With,
                              in_places<policies_and_fewer_weights>) {
  using T = typename With::weight;
  for (const bool negative : {false, true}) {
    const auto g = negative ? negative_graph<T>(90, 0.1, 94) : random_graph<T>(90, 0.1, 1, 99, 93);
    const auto expected = *oracle_distances(g);
    const auto expected_backwards = *oracle_distances(turned(g));
    const auto m = dense_form(g);
    for (const auto method : all_algorithms) {
      if (negative && method == apsp::algorithm::dijkstra) continue;
      BOOST_TEST_CONTEXT(to_string(method) << ", negative weights: " << negative) {
        auto in_place = With::results::put(m);
        auto p = wrong_results<With, std::int32_t>(g.n);
        BOOST_REQUIRE(run_all_pairs(method, With::policy(), in_place, in_place, p));
        check_rows<T>(expected, to_host(in_place));
        check_trees<T>(lightest_arcs(g), all_vertices(g.n), to_host(in_place), to_host(p));
        // The gaps between the rows are not written.
        matrix_part<typename With::results, T> memory(m, 20);
        auto part = memory.view();
        BOOST_REQUIRE(run_all_pairs(method, With::policy(), part, part));
        check_rows<T>(expected, memory.to_host());
        BOOST_CHECK(memory.is_untouched_around());

        apsp::matrix<T> backwards = m;
        BOOST_REQUIRE(run_all_pairs(method, With::policy(), apsp::reversed(backwards), backwards));
        check_rows<T>(expected_backwards, backwards);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_from_several_threads, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  const auto g = negative_graph<T>(150, 0.1, 95);
  const auto expected = *oracle_distances(g);
  const auto lightest = lightest_arcs(g);
  constexpr std::size_t callers = 4;
  std::array<std::array<apsp::matrix<T>, 2>, callers> all;
  std::array<std::array<apsp::matrix<int>, 2>, callers> trees;
  std::array<std::size_t, callers> calls{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      const std::array methods = {apsp::algorithm::floyd_warshall,
                                  algorithms_for_negative_weights[i % 2]};
      for (int repeat = 0; repeat < 3; ++repeat) {
        for (std::size_t k = 0; k < methods.size(); ++k) {
          all[i][k] = apsp::matrix<T>(g.n);
          trees[i][k] = apsp::matrix<int>(g.n);
          static_cast<void>(
              run_all_pairs(methods[k], With::policy(), g.view(), all[i][k], trees[i][k]));
        }
        static_cast<void>(apsp::for_each_row(With::policy(), g.view(), std::vector<int>{1, 2},
                                             [&](std::size_t, std::span<const T>) { ++calls[i]; }));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < callers; ++i) {
    for (const std::size_t k : {0u, 1u}) {
      check_rows<T>(expected, all[i][k]);
      check_trees<T>(lightest, all_vertices(g.n), all[i][k], trees[i][k]);
      BOOST_CHECK(all[i][k] == all[i % 2][k]);
    }
    BOOST_CHECK_EQUAL(calls[i], 6u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_of_the_users_type, Policy, policies) {
  if constexpr (runs_on_host(Policy::expected)) {
    const auto check = [](const char* name, const arc_list<int>& numbers, const auto& methods) {
      arc_list<metres> g{numbers.n, numbers.sources, numbers.targets, {}};
      for (const int w : numbers.weights) g.weights.push_back({w});
      const auto expected = *oracle_distances(numbers);
      for (const auto method : methods) {
        BOOST_TEST_CONTEXT(name << ", " << to_string(method)) {
          apsp::matrix<metres> d(g.n);
          apsp::matrix<int> p(g.n);
          BOOST_REQUIRE(run_all_pairs(method, Policy::policy(), g.view(), d, p));
          apsp::matrix<int> values(g.n);
          std::transform(d.begin(), d.end(), values.begin(), [](metres x) {
            return x == apsp::unreachable<metres> ? infinite<int> : x.value;
          });
          check_rows<int>(expected, values);
          check_trees<int>(lightest_arcs(numbers), all_vertices(g.n), values, p);
        }
      }
      // An exception from a sum leaves the call.
      for (auto& w : g.weights) w.value += 2000;
      apsp::matrix<metres> d(g.n);
      for (const auto method : methods) {
        check_refused<std::overflow_error>(
            [&] { return run_all_pairs(method, Policy::policy(), g.view(), d); });
      }
    };
    check("random, seed = 12", random_graph<int>(150, 0.05, 1, 9, 12), all_algorithms);
    check("negative, seed = 13", negative_graph<int>(60, 0.1, 13),
          all_algorithms_for_negative_weights);
  }
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
    check_refused([&] { apsp::with_policy(name, [](const auto&) {}); },
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
