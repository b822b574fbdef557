// SPDX-License-Identifier: BSL-1.0
// Tests of negative cycles, and of cycles that are negative only by rounding.
#define BOOST_TEST_MODULE negative_cycles
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/methods.hpp"
#include "../common/oracle.hpp"
#include "../common/places.hpp"
#include "../common/policies.hpp"
#include "../common/price.hpp"

using namespace apsp_test;

BOOST_AUTO_TEST_CASE_TEMPLATE(rounding_makes_no_negative_cycle, Policy, policies) {
  // Multiples of 0.1 with cycles of sum 0; rounding makes many of them slightly negative.
  for (std::uint64_t seed = 1; seed <= (is_slow<Policy> ? 2 : 5); ++seed) {
    const std::size_t n = 50 + 20 * seed;
    const auto g = negative_graph<double>(n, 0.2, seed, 0.1);
    const auto expected = oracle_distances(negative_graph<std::int64_t>(n, 0.2, seed));
    BOOST_REQUIRE(expected.has_value());
    const auto lightest = lightest_arcs(g);
    for (const auto method : all_algorithms_for_negative_weights) {
      BOOST_TEST_CONTEXT("n = " << n << ", seed = " << seed << ", " << to_string(method)) {
        apsp::matrix<double> d(n);
        apsp::matrix<int> p(n);
        const auto done = run_all_pairs(method, Policy::policy(), g.view(), d, p);
        BOOST_REQUIRE(done);
        // Bellman–Ford may have had to reweight.
        BOOST_CHECK(done.algorithm() == method || done.algorithm() == apsp::algorithm::johnson);
        for (std::size_t u = 0; u < n; ++u) {
          BOOST_REQUIRE_EQUAL(d[u][u], 0.0);
          for (std::size_t v = 0; v < n; ++v) {
            BOOST_REQUIRE_SMALL(d[u][v] - 0.1 * static_cast<double>((*expected)[u][v]), 1e-9);
          }
        }
        check_trees<double>(lightest, all_vertices(n), d, p);
      }
    }
  }
}

namespace {

// A dense graph whose weights are differences of heights: its cycles are zero up to rounding.
template <class T>
apsp::matrix<T> slopes(std::size_t n, T scale, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> heights(n);
  for (T& h : heights) h = scale * static_cast<T>(random() % 10'000) / 997;
  apsp::matrix<T> g(n);
  for_each_pair(n, [&](std::size_t u, std::size_t v) { g[u][v] = heights[v] - heights[u]; });
  return g;
}

}  // namespace

// Rounding makes more than n^2 cycles negative. The search must not inspect them one by one, which
// would need a number of passes that grows with n.
BOOST_AUTO_TEST_CASE(many_cycles_of_length_zero) {
  for (const std::size_t n : {50u, 150u}) {
    const auto even = slopes<float>(n, 1, 35);
    auto arcs = apsp::detail::collect_arcs<float>(even, n * n);
    apsp::detail::negative_cycle_search<float> search(n, std::move(arcs));
    std::size_t num_passes = 0;
    const auto found = search.run([&] {
      ++num_passes;
      return false;
    });
    BOOST_CHECK(found.cycle.empty());
    BOOST_CHECK_LE(num_passes, 20u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_among_many_of_length_zero, Policy, policies) {
  const auto check = [](auto scale, std::uint64_t seed) {
    using T = decltype(scale);
    constexpr std::size_t n = 40;
    std::mt19937_64 random(seed);
    auto g = slopes<T>(n, scale, seed);
    apsp::matrix<T> d(n);
    BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g, d));
    // One arc is lighter by more than the rounding error of a cycle of all vertices.
    const std::size_t u = random() % n;
    const std::size_t v = (u + 1 + random() % (n - 1)) % n;
    g[u][v] -= 100 * static_cast<T>(n) * 10 * scale * std::numeric_limits<T>::epsilon();
    const apsp::result done = apsp::floyd_warshall(Policy::policy(), g, d);
    BOOST_REQUIRE(!done);
    long double length = 0;
    const auto& cycle = done.negative_cycle();
    BOOST_REQUIRE_GE(cycle.size(), 3u);
    BOOST_CHECK_EQUAL(cycle.front(), cycle.back());
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i) length += g[cycle[i]][cycle[i + 1]];
    BOOST_CHECK_LT(length, 0);
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      check(1.0f, seed);
      check(1e-20f, seed);
      check(1.0, seed);
      check(1e200, seed);
      if constexpr (takes_plain_loops<Policy>()) check(1.0L, seed);
    }
  }
}

// Small weights and large ones, whose sums have rounding errors larger than the small weights.
BOOST_AUTO_TEST_CASE_TEMPLATE(many_small_cycles_beside_large_distances, Policy, policies) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BOOST_TEST_CONTEXT("seed = " << seed) {
      constexpr std::size_t n = 60;
      const auto small = slopes<double>(n / 2, 1e-6, seed);
      const auto large = slopes<double>(n / 2, 1e9, seed + 100);
      apsp::matrix<double> g(n, n, apsp::unreachable<double>);
      for (std::size_t u = 0; u < n / 2; ++u) {
        for (std::size_t v = 0; v < n / 2; ++v) {
          g[u][v] = small[u][v];
          g[n / 2 + u][n / 2 + v] = large[u][v];
        }
        g[n / 2 + u][u] = -1e9;
      }
      apsp::matrix<double> d(n);
      BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g, d));
      for_each_pair(n / 2, [&](std::size_t u, std::size_t v) {
        BOOST_REQUIRE_SMALL(d[u][v] - small[u][v], 1e-7);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles_are_named, With,
                              in_places<policies_and_fewer_weights>) {
  using T = typename With::weight;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const std::size_t n : {2u, 9u, 130u, 300u}) {
      BOOST_TEST_CONTEXT("seed = " << seed << ", n = " << n) {
        // A cycle of length -1 through every third vertex, among longer edges.
        auto g = random_graph<T>(n, 0.05, 200, 400, seed);
        const std::size_t step = n < 9 ? 1 : 3;
        const std::size_t last = (n - 1) / step * step;
        for (std::size_t v = 0; v < last; v += step) g.add(v, v + step, T{1});
        g.add(last, 0, -static_cast<T>(last / step) - T{1});
        With::graphs::in_forms_by_turns(g, [&](const auto& graph) {
          auto d = wrong_results<With, T>(n);
          const auto done = apsp::floyd_warshall(With::policy(), graph, d);
          BOOST_REQUIRE(!done);
          check_negative_cycle(g, done.negative_cycle());
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(very_negative_cycles_do_not_wrap, With, policies_and_weights) {
  using T = typename With::weight;
  // Every pair of vertices is a cycle of large negative length, so distances decrease as fast as
  // possible.
  for (const T weight : {T{-1}, T{-1000000}, std::numeric_limits<T>::lowest()}) {
    if (std::numeric_limits<T>::has_infinity && weight < T{-1000000}) continue;
    const auto g = [&] {
      arc_list<T> all{140, {}, {}, {}};
      for (std::size_t u = 0; u < all.n; ++u) {
        for (std::size_t v = 0; v < all.n; ++v) all.add(u, v, u == v ? T{0} : weight);
      }
      return all;
    }();
    apsp::matrix<T> d(g.n);
    const auto done = apsp::floyd_warshall(With::policy(), g.view(), d);
    BOOST_CHECK(!done);
    BOOST_CHECK(done.negative_cycle().size() >= 3);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(small_distances_beside_large_cycles, Policy, policies) {
  // Cycles of length 0 with weights of 1e4, and one arc of 0.001 that their rounding must not hide.
  random_numbers random(44);
  arc_list<float> g{40, {}, {}, {}};
  std::vector<float> height(30);
  for (auto& h : height) h = static_cast<float>(random(-100000, 100000)) / 10;
  for_each_pair(30, [&](std::size_t u, std::size_t v) {
    if (u != v) g.add(u, v, height[u] - height[v]);
  });
  g.add(35, 36, 0.001f);
  for (const auto method : all_algorithms_for_negative_weights) {
    BOOST_TEST_CONTEXT(to_string(method) << ", seed = 44") {
      const bool is_rounded = method == apsp::algorithm::floyd_warshall;
      apsp::matrix<float> d(g.n);
      apsp::matrix<int> p(g.n);
      BOOST_REQUIRE(run_all_pairs(method, Policy::policy(), g.view(), d, p));
      BOOST_CHECK_CLOSE(d[35][36], 0.001f, is_rounded ? 1e-3f : 0.0f);
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

#ifndef APSP_TEST_ON_DEVICE
// A cycle that sums to zero in one order and to less in another is no negative cycle. The call must
// then write all results, although a diagonal entry is below zero.
BOOST_AUTO_TEST_CASE_TEMPLATE(user_defined_weights_that_round_below_zero, Policy, policies) {
  const std::vector<int> sources{0, 1, 2, 3}, targets{1, 2, 3, 0};
  const double a = 0.9, b = 6.3, c = 1.2;
  const std::vector<price> weights{{a}, {b}, {c}, {-((c + b) + a)}};
  const apsp::edge_list_view g(4, sources, targets, weights);
  apsp::matrix<price> d(4);
  apsp::matrix<std::int64_t> predecessors(4, 4, 77);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), g, d, predecessors));
  for_each_pair(4, [&](std::size_t u, std::size_t v) {
    const auto before = static_cast<std::int64_t>(v == 0 ? 3 : v - 1);
    BOOST_CHECK_EQUAL(predecessors[u][v], u == v ? -1 : before);
  });
}
#endif
