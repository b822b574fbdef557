// SPDX-License-Identifier: BSL-1.0
// Tests of distances at the limits of the range of their type.
#define BOOST_TEST_MODULE per_source_range
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/repeated_squaring.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// Textbook Bellman–Ford in 128 bits, for sums that exceed the built-in types. The graph must have
// no negative cycle.
using int128 = __int128;
constexpr int128 no_path = static_cast<int128>(1) << 100;
template <class T>
std::vector<int128> exact_row(const arc_list<T>& g, std::size_t source) {
  std::vector<int128> d(g.n, no_path);
  d[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const auto u = g.from(k);
      const auto v = g.to(k);
      if (d[u] == no_path || g.weights[k] == infinite<T>) continue;
      const int128 through = d[u] + static_cast<int128>(g.weights[k]);
      if (through < d[v]) {
        d[v] = through;
        changed = true;
      }
    }
  }
  return d;
}

// Checks for the integers that the contract specifies, and for the specified value of saturated().
template <class Place, class T, class Methods>
void check_exact(const arc_list<T>& g, const Methods& methods) {
  apsp::matrix<int128> lightest(g.n, g.n, no_path);
  bool negative = false;
  int128 heaviest = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    auto& entry = lightest[g.from(k)][g.to(k)];
    entry = std::min(entry, static_cast<int128>(g.weights[k]));
    negative = negative || g.weights[k] < T{};
    heaviest =
        std::max({heaviest, static_cast<int128>(g.weights[k]), -static_cast<int128>(g.weights[k])});
  }
  // Elimination may then take sums of 128 bits, which have no kernels.
  const bool is_wide =
      4 * static_cast<int128>(g.n) * heaviest > std::numeric_limits<std::int64_t>::max();
  Place::graphs::in_one_form(g, [&](const auto& graph) {
    for (const auto method : methods) {
      if (is_wide && method == apsp::algorithm::elimination && !runs_on_host(Place::expected))
        continue;
      BOOST_TEST_CONTEXT(to_string(method)) {
        auto distances = wrong_results<Place, T>(g.n);
        auto predecessors = wrong_results<Place, std::int32_t>(g.n);
        const auto done = run_all_pairs(method, Place::policy(), graph, distances, predecessors);
        BOOST_REQUIRE(done);
        const apsp::matrix<T> d = to_host(distances);
        const apsp::matrix<std::int32_t> p = to_host(predecessors);
        bool saturated = false;
        for (std::size_t u = 0; u < g.n; ++u) {
          const auto expected = exact_row(g, u);
          for (std::size_t v = 0; v < g.n; ++v) {
            T e = infinite<T>;
            if (expected[v] < static_cast<int128>(std::numeric_limits<T>::lowest())) {
              e = std::numeric_limits<T>::lowest();
              saturated = true;
            } else if (expected[v] < static_cast<int128>(infinite<T>)) {
              e = static_cast<T>(expected[v]);
            } else if (expected[v] != no_path) {
              saturated = true;
            }
            BOOST_REQUIRE_MESSAGE(d[u][v] == e,
                                  "(" << u << ", " << v << ") is " << +d[u][v] << ", not " << +e);
            if (e == infinite<T>) {
              // Paths that are too long are unreachable. With negative weights, a longer path may
              // become shorter again, so its predecessor may be kept.
              if (!negative) BOOST_REQUIRE_EQUAL(p[u][v], -1);
            } else {
              int128 length = 0;
              const auto walked = apsp::path(p, u, v);
              for (std::size_t i = 0; i + 1 < walked.size(); ++i) {
                length += lightest[walked[i]][walked[i + 1]];
              }
              BOOST_REQUIRE(walked.front() == u && walked.back() == v);
              BOOST_REQUIRE(length == expected[v]);
            }
          }
        }
        BOOST_CHECK_EQUAL(done.saturated(), saturated);
        // Without predecessors the distances are the same.
        auto again = wrong_results<Place, T>(g.n);
        BOOST_CHECK_EQUAL(run_all_pairs(method, Place::policy(), graph, again).saturated(),
                          saturated);
        BOOST_CHECK(to_host(again) == d);
      }
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit_saturate, Policy, in_places<policies>) {
  const std::int32_t large = 2'000'000'000;
  BOOST_TEST_CONTEXT("int32, no negative weights") {
    check_exact<Policy>(make_graph<std::int32_t>(4, {{0, 1, large}, {1, 2, large}, {2, 3, 5}}),
                        all_algorithms);
    // Up to the largest distance, one less than unreachable.
    check_exact<Policy>(
        make_graph<std::int32_t>(4, {{0, 1, large}, {1, 2, 147'483'646}, {2, 3, 0}}),
        all_algorithms);
    check_exact<Policy>(make_graph<std::int32_t>(4, {{0, 1, large}, {1, 2, 147'483'647}}),
                        all_algorithms);
  }
  BOOST_TEST_CONTEXT("int32, negative weights") {
    check_exact<Policy>(make_graph<std::int32_t>(4, {{0, 1, large}, {1, 2, large}, {2, 3, -large}}),
                        all_algorithms_for_negative_weights);
    check_exact<Policy>(make_graph<std::int32_t>(3, {{0, 1, -large}, {1, 2, -large}}),
                        all_algorithms_for_negative_weights);
  }
  BOOST_TEST_CONTEXT("int64") {
    const std::int64_t huge = 9'000'000'000'000'000'000;
    check_exact<Policy>(make_graph<std::int64_t>(4, {{0, 1, huge}, {1, 2, huge}, {2, 3, 1}}),
                        all_algorithms);
  }
}

constexpr std::array only_floyd_warshall = {apsp::algorithm::floyd_warshall};

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_128_bits, Policy, policies) {
  using on_host = at<Policy, place<host_memory>>;
  const std::int64_t huge = 9'000'000'000'000'000'000;
  const auto cycle = make_graph<std::int64_t>(3, {{0, 1, huge}, {1, 2, huge}, {2, 0, -huge}});
  check_exact<on_host>(cycle, only_floyd_warshall);
  apsp::matrix<std::int64_t> d(3);
  apsp::matrix<std::int32_t> e(3);
  const auto of_small_sums =
      apsp::floyd_warshall(Policy::policy(), make_graph<std::int32_t>(3, {{0, 1, 1}}).view(), e);
  BOOST_CHECK(apsp::floyd_warshall(Policy::policy(), cycle.view(), d).executed_on() ==
              of_small_sums.executed_on());
  // The other algorithms have no kernels for these types.
  if (!runs_on_host(Policy::expected)) return;
  check_exact<on_host>(cycle, algorithms_for_negative_weights);
  check_exact<on_host>(make_graph<std::int64_t>(3, {{0, 1, -huge}, {1, 2, -huge}}),
                       all_algorithms_for_negative_weights);
  check_exact<on_host>(make_graph<std::uint64_t>(4, {{0, 1, 10'000'000'000'000'000'000u},
                                                     {1, 2, 8'000'000'000'000'000'000u},
                                                     {2, 3, 446'744'073'709'551'615u},
                                                     {0, 3, 18'446'744'073'709'551'614u}}),
                       all_algorithms);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_integer_type, Policy, policies) {
  using on_host = at<Policy, place<host_memory>>;
  const auto check_with = [](const auto& methods, auto zero, std::size_t n, std::int64_t low,
                             std::int64_t high, std::uint64_t seed) {
    using T = decltype(zero);
    BOOST_TEST_CONTEXT("a type of " << sizeof(T) << " bytes, n = " << n << ", weights " << low
                                    << ".." << high << ", seed = " << seed) {
      auto wide = random_graph<std::int64_t>(n, 0.04, low, high, seed);
      // Only arcs to larger vertices are negative.
      for (std::size_t k = 0; k < wide.size(); ++k) {
        if (wide.sources[k] > wide.targets[k]) wide.weights[k] = high;
      }
      check_exact<on_host>(converted<T>(wide), methods);
    }
  };
  const auto check = [&](auto zero, std::int64_t low, std::int64_t high, std::uint64_t seed) {
    if (low < 0) {
      check_with(all_algorithms_for_negative_weights, zero, 60, low, high, seed);
    } else {
      check_with(all_algorithms, zero, 60, low, high, seed);
    }
  };
  check_with(only_floyd_warshall, std::uint64_t{}, 60, 1, 20, 9);
  check_with(only_floyd_warshall, 0ULL, 60, 1, 20, 9);
  // Several tiles, with sums within and beyond the range.
  for (const std::int64_t low : {1, -1000}) {
    for (const std::int64_t high : {1 << 22, 1 << 26, (1 << 30) + 5}) {
      check_with(only_floyd_warshall, std::int32_t{}, 140, low, high, 77);
    }
  }
  for (const std::uint64_t seed : {9u, 10u}) {
    check(std::int8_t{}, 1, 7, seed);    // nearly all fit
    check(std::int8_t{}, 1, 100, seed);  // few fit
    check(std::int8_t{}, -9, 100, seed);
    check(std::uint8_t{}, 1, 200, seed);
    check(std::int16_t{}, 1, 15000, seed);
    check(std::int16_t{}, -2000, 20000, seed);
    check(std::uint16_t{}, 1, 30000, seed);
    check(std::int32_t{}, 1, 1 << 30, seed);
    check(std::int32_t{}, -(1 << 24), 1 << 30, seed);
    check(std::uint32_t{}, 1, std::int64_t{1} << 31, seed);
    check(std::int64_t{}, 1, std::int64_t{1} << 62, seed);
    check(0LL, -1000, std::int64_t{1} << 40, seed);
    if (!runs_on_host(Policy::expected)) continue;
    check(std::uint64_t{}, 1, std::numeric_limits<std::int64_t>::max() - 1, seed);
    check(std::int64_t{}, -(std::int64_t{1} << 56), std::int64_t{1} << 62, seed);
    check(std::int64_t{}, -(std::int64_t{1} << 40), std::int64_t{1} << 61, seed);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(floats_beyond_the_range_are_unreachable, Policy, policies) {
  const auto check = [](auto zero, bool negative) {
    using T = decltype(zero);
    const T large = std::numeric_limits<T>::max() / T(1.5);
    auto g = make_graph<T>(5, {{0, 1, large}, {1, 2, large}, {2, 3, T(1)}});
    if (negative) g.add(4, 0, T(-1));
    for (const auto method : per_source_algorithms) {
      if (negative && method == apsp::algorithm::dijkstra) continue;
      BOOST_TEST_CONTEXT(to_string(method)
                         << ", " << sizeof(T) << " bytes, negative weights: " << negative) {
        apsp::matrix<T> d(1, 5, T(-7));
        apsp::matrix<int> p(1, 5, -7);
        BOOST_REQUIRE(run(method, Policy::policy(), g.view(), std::vector<int>{0}, d, p));
        BOOST_CHECK_EQUAL(d[0][1], large);
        BOOST_CHECK_EQUAL(d[0][2], infinite<T>);
        BOOST_CHECK_EQUAL(d[0][3], infinite<T>);
        BOOST_CHECK_EQUAL(p[0][1], 0);
        BOOST_CHECK_EQUAL(p[0][2], -1);
        BOOST_CHECK_EQUAL(p[0][3], -1);
      }
    }
  };
  check(float{}, false);
  check(double{}, false);
  check(float{}, true);
  // Sums that may leave the range of double have no kernels.
  if constexpr (takes_plain_loops<Policy>()) check(double{}, true);
}

namespace {

/// Calls f(name, solve) for each all-pairs algorithm, where
/// `solve(policy, g, distances, predecessors)`.
template <class F>
void for_each_algorithm(F f) {
  const auto with = [&](const char* name, auto solve) { BOOST_TEST_CONTEXT(name) f(solve); };
  with("floyd_warshall", [](auto&&... call) { return apsp::floyd_warshall(call...); });
  with("repeated_squaring", [](auto&&... call) { return apsp::repeated_squaring(call...); });
  with("all_pairs", [](auto&&... call) { return apsp::all_pairs_shortest_paths(call...); });
  with("bellman_ford", [](auto&&... call) { return apsp::bellman_ford(call...); });
  with("johnson", [](auto&&... call) { return apsp::johnson(call...); });
}

}  // namespace

// All algorithms treat distances that do not fit in the type alike, also with a cutoff beyond the
// type.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_rule_for_what_does_not_fit, Policy, policies) {
  const auto check = [](auto zero, bool negative, std::uint64_t seed) {
    using T = decltype(zero);
    random_numbers random(seed);
    constexpr std::size_t n = 24;
    const auto largest = static_cast<std::int64_t>(
        std::min<std::uint64_t>(std::numeric_limits<T>::max(), std::uint64_t{1} << 62));
    arc_list<T> g{n, {}, {}, {}};
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const std::size_t u = random.index(n);
      const std::size_t v = random.index(n);
      // Arcs to smaller vertices are heavier, so that no cycle is negative.
      const std::int64_t w = negative && u < v ? random(-largest / 100, largest / 50)
                                               : random(largest / 2, largest - 1);
      g.add(u, v, static_cast<T>(w));
    }
    std::vector<std::vector<int128>> lengths;
    bool expects_saturated = false;
    const int128 too_long = apsp::unreachable<T>;
    for (std::size_t s = 0; s < n; ++s) {
      lengths.push_back(exact_row(g, s));
      for (const int128 x : lengths[s]) expects_saturated |= too_long <= x && x < no_path;
    }
    for_each_algorithm([&](auto solve) {
      for (const bool prefers_fewest_edges : {false, true}) {
        apsp::matrix<T> d(n);
        apsp::matrix<int> p(n);
        const auto policy = Policy::policy().prefer_fewest_edges(prefers_fewest_edges);
        const auto check_rows = [&](const apsp::result& done, bool saturated) {
          BOOST_REQUIRE(done);
          BOOST_CHECK_EQUAL(done.saturated(), saturated);
          for (std::size_t s = 0; s < n; ++s) {
            std::vector<char> is_passed(n, 0);
            for (std::size_t t = 0; t < n; ++t) {
              if (lengths[s][t] < too_long) {
                BOOST_REQUIRE(int128{d[s][t]} == lengths[s][t]);
                const auto path = apsp::path(p, s, t);
                BOOST_REQUIRE(!path.empty());
                for (const std::size_t v : path) is_passed[v] = 1;
              } else {
                BOOST_REQUIRE_EQUAL(d[s][t], apsp::unreachable<T>);
              }
            }
            for (std::size_t t = 0; t < n; ++t) {
              if (s != t) BOOST_REQUIRE_EQUAL(p[s][t] >= 0, is_passed[t] != 0);
            }
          }
        };
        check_rows(solve(policy, g.view(), d, p), expects_saturated);
        check_rows(solve(policy.cutoff(1e30L), g.view(), d, p), expects_saturated);
        // All distances that do not fit exceed this cutoff.
        const auto largest_distance = static_cast<long double>(apsp::unreachable<T> - 1);
        check_rows(solve(policy.cutoff(largest_distance), g.view(), d, p), false);
      }
    });
  };
  for (std::uint64_t seed = 1; seed <= (is_slow<Policy> ? 3 : 10); ++seed) {
    for (const bool negative : {false, true}) {
      BOOST_TEST_CONTEXT("seed = " << seed << ", negative weights: " << negative) {
        check(std::int8_t{}, negative, seed);
        check(std::int32_t{}, negative, seed);
        // Negative weights that need sums of 128 bits have no kernels.
        if (takes_plain_loops<Policy>() || !negative) check(std::int64_t{}, negative, seed);
        if (!negative) check(std::uint32_t{}, negative, seed);
      }
    }
  }
}

// Sums that leave the range of floating point and re-enter it through weights of the opposite sign.
BOOST_AUTO_TEST_CASE_TEMPLATE(paths_over_infinite_sums, Policy, policies) {
  const auto check = [](auto zero, std::uint64_t seed) {
    using T = decltype(zero);
    constexpr T largest = std::numeric_limits<T>::max();
    random_numbers random(seed);
    // Arcs lead from lower to higher numbers of a shuffled order, so there is no cycle.
    constexpr std::size_t n = 12;
    std::vector<std::size_t> order(n);
    for (std::size_t v = 0; v < n; ++v) order[v] = v;
    for (std::size_t v = n; v > 1; --v) std::swap(order[v - 1], order[random.index(v)]);
    arc_list<T> g{n, {}, {}, {}};
    // Weights and distances as fractions of the largest number.
    apsp::matrix<long double> weights(n, n, infinite<long double>), expected(n);
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = u + 1; v < n; ++v) {
        if (!random.chance(0.4)) continue;
        const T w = largest / 100 * static_cast<T>(random(-90, 90));
        g.add(order[u], order[v], w);
        weights[order[u]][order[v]] = static_cast<long double>(w / largest);
      }
    }
    for (const std::size_t s : order) {
      for (std::size_t t = 0; t < n; ++t) expected[s][t] = s == t ? 0 : infinite<long double>;
      for (const std::size_t u : order) {
        for (std::size_t v = 0; v < n; ++v) {
          expected[s][v] = std::min(expected[s][v], expected[s][u] + weights[u][v]);
        }
      }
    }
    if (std::none_of(g.weights.begin(), g.weights.end(), [](T w) { return w < 0; })) return;
    for_each_algorithm([&](auto solve) {
      for (const bool prefers_fewest_edges : {false, true}) {
        apsp::matrix<T> d(n);
        apsp::matrix<int> p(n);
        BOOST_REQUIRE(
            solve(Policy::policy().prefer_fewest_edges(prefers_fewest_edges), g.view(), d, p));
        for (std::size_t s = 0; s < n; ++s) {
          for (std::size_t t = 0; t < n; ++t) {
            constexpr long double rounding = 1e-5L;
            const long double part = expected[s][t];
            if (std::abs(std::abs(part) - 1) < rounding) continue;
            if (std::abs(part) > 1) {
              BOOST_REQUIRE_EQUAL(d[s][t], part < 0 ? -infinite<T> : infinite<T>);
              if (part > 0) continue;
            } else {
              BOOST_REQUIRE_LT(std::abs(part - d[s][t] / largest), rounding);
            }
            std::vector<std::size_t> path;
            BOOST_REQUIRE_NO_THROW(path = apsp::path(p, s, t));
            BOOST_REQUIRE(!path.empty());
            long double length = 0;
            for (std::size_t i = 0; i + 1 < path.size(); ++i) {
              length += weights[path[i]][path[i + 1]];
            }
            BOOST_REQUIRE_LT(std::abs(length - part), rounding);
          }
        }
      }
    });
  };
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      check(float{}, seed);
      if constexpr (takes_plain_loops<Policy>()) check(double{}, seed);
    }
  }
}

// Potentials may be so large that a reweighted path is infinite although the path itself is finite.
BOOST_AUTO_TEST_CASE_TEMPLATE(large_potentials_beside_large_distances, Policy, policies) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    constexpr T largest = std::numeric_limits<T>::max();
    const T step = largest / 100 * 29;
    const auto g =
        make_graph<T>(5, {{0, 1, step}, {1, 2, step}, {2, 3, step}, {4, 3, -largest / 5}});
    const T expected = step + step + step;
    for (const auto method : algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT(to_string(method)) {
        apsp::matrix<T> d(5);
        apsp::matrix<int> p(5);
        BOOST_REQUIRE(run(method, Policy::policy(), g.view(), d, p));
        BOOST_CHECK_EQUAL(d[0][3], expected);
        BOOST_CHECK_EQUAL(p[0][3], 2);
        BOOST_CHECK_EQUAL(d[4][3], -largest / 5);
      }
    }
    T of_row{};
    BOOST_REQUIRE(
        apsp::for_each_row(Policy::policy(), g.view(), std::vector<int>{0},
                           [&](std::size_t, std::span<const T> row) { of_row = row[3]; }));
    BOOST_CHECK_EQUAL(of_row, expected);
  };
  check(float{});
  // Their sums need long double, which has no kernels.
  if (runs_on_host(Policy::expected)) check(double{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rounding_in_one_place_hides_nothing_in_another, Policy, policies) {
  // A cycle of large weights that is negative only by rounding.
  const auto with_cycle = [](std::size_t n) {
    return make_graph<float>(n, {{0, 1, 1e7f}, {1, 2, -0.1f}, {2, 0, -1e7f}});
  };
  auto negative = with_cycle(7);
  negative.add(3, 4, -0.5f);
  negative.add(4, 5, -0.5f);
  negative.add(5, 6, 1.0f);
  negative.add(6, 3, -0.5f);
  auto path = with_cycle(16);
  const std::size_t stops[] = {3, 15, 4, 14, 5, 13, 6, 12, 7};
  for (std::size_t i = 0; i + 1 < std::size(stops); ++i) path.add(stops[i], stops[i + 1], -0.25f);
  path.add(3, 7, -1.0f);
  for (const auto method : algorithms_for_negative_weights) {
    BOOST_TEST_CONTEXT(to_string(method)) {
      apsp::matrix<float> d(7);
      const auto done = run(method, Policy::policy(), negative.view(), d);
      BOOST_REQUIRE(!done);
      check_negative_cycle(negative, done.negative_cycle());
      apsp::matrix<float> e(16);
      BOOST_REQUIRE(run(method, Policy::policy(), path.view(), e));
      BOOST_CHECK_EQUAL(e[3][7], -2.0f);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_beyond_floating_point, Policy, policies) {
  // A chain of parallel arcs whose sums are infinite.
  arc_list<float> chain{62, {}, {}, {}};
  for (std::size_t v = 0; v < 60; ++v) {
    chain.add(v, v + 1, 3e38f);
    chain.add(v, v + 1, 3e38f);
  }
  chain.add(61, 60, -1.0f);
  apsp::matrix<float> d(62);
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), chain.view(), d));
  BOOST_CHECK_EQUAL(d[0][1], 3e38f);
  BOOST_CHECK_EQUAL(d[0][2], apsp::unreachable<float>);
  if (!takes_plain_loops<Policy>()) return;
  // The reweighted first arc would exceed the largest number of the type.
  const auto wide = make_graph<double>(3, {{0, 1, 1e308}, {2, 1, -1.5e308}});
  apsp::matrix<double> e(3);
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), wide.view(), e));
  BOOST_CHECK_EQUAL(e[0][1], 1e308);
  BOOST_CHECK_EQUAL(e[2][1], -1.5e308);
}
