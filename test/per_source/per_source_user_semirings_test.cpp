// SPDX-License-Identifier: BSL-1.0
// Tests of Dijkstra and Bellman–Ford over user-defined semirings.
#define BOOST_TEST_MODULE per_source_user_semirings
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// The lowest fare, and among equal fares the one with the fewest rides: a user-defined value type.
struct fare {
  int zones;
  int rides;
  friend bool operator==(const fare&, const fare&) = default;
};
struct cheapest {
  using value_type = fare;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr fare zero{1 << 30, 0};
  static constexpr fare one{0, 0};
  static fare plus(const fare& a, const fare& b) {
    return std::tie(b.zones, b.rides) < std::tie(a.zones, a.rides) ? b : a;
  }
  static fare times(const fare& a, const fare& b) {
    if (a == zero || b == zero) return zero;
    return {a.zones + b.zones, a.rides + b.rides};
  }
};

/// A semiring with non-static members, whose upper bound is known only at run time.
struct bounded_width {
  using value_type = int;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  int zero = 0;
  int one = 100;
  int plus(int a, int b) const { return std::max(a, b); }
  int times(int a, int b) const { return std::min(a, b); }
  bool admits(int w) const { return w >= zero && w <= one; }
};

/// The probability of success, computed from the probability of failure: rounding may decrease it.
struct least_risk {
  using value_type = float;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr float zero = 1;
  static constexpr float one = 0;
  static float plus(float a, float b) { return std::min(a, b); }
  static float times(float a, float b) { return 1 - (1 - a) * (1 - b); }
};

/// The widths of the widest paths, 100 from a vertex to itself, by the definition.
apsp::matrix<int> widest_paths(const arc_list<int>& g) {
  apsp::matrix<int> widths(g.n, g.n, 0);
  for (std::size_t v = 0; v < g.n; ++v) widths[v][v] = 100;
  for (std::size_t k = 0; k < g.size(); ++k) {
    int& arc =
        widths[static_cast<std::size_t>(g.sources[k])][static_cast<std::size_t>(g.targets[k])];
    arc = std::max(arc, g.weights[k]);
  }
  for (std::size_t k = 0; k < g.n; ++k) {
    for (std::size_t u = 0; u < g.n; ++u) {
      for (std::size_t v = 0; v < g.n; ++v) {
        widths[u][v] = std::max(widths[u][v], std::min(widths[u][k], widths[k][v]));
      }
    }
  }
  return widths;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(semirings_of_the_users, Policy, policies) {
  const auto numbers = random_graph<std::int64_t>(70, 0.07, 0, 3, 51);
  arc_list<fare> fares{numbers.n, numbers.sources, numbers.targets, {}};
  for (const auto w : numbers.weights) fares.weights.push_back({static_cast<int>(w), 1});
  const auto zones = oracle_distances(numbers);
  for (const auto method : best_path_algorithms) {
    apsp::matrix<fare> d(fares.n);
    apsp::matrix<int> p(fares.n);
    const auto done = run_over(method, Policy::policy(), fares.view(), d, p, cheapest{});
    BOOST_REQUIRE(done);
    BOOST_CHECK(done.algorithm() == method);
    BOOST_CHECK(runs_on_host(done.executed_on()));
    BOOST_CHECK_EQUAL(done.fallback_reason().empty(), done.executed_on() == Policy::expected);
    for (std::size_t u = 0; u < fares.n; ++u) {
      for (std::size_t v = 0; v < fares.n; ++v) {
        if ((*zones)[u][v] == wide_unreachable<std::int64_t>) {
          BOOST_REQUIRE(d[u][v] == cheapest::zero);
          continue;
        }
        BOOST_REQUIRE_EQUAL(d[u][v].zones, (*zones)[u][v]);
        const auto vertices = apsp::path(p, u, v);
        BOOST_REQUIRE_EQUAL(static_cast<std::size_t>(d[u][v].rides) + 1, vertices.size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(members_that_are_not_static, Policy, policies) {
  auto g = random_graph<int>(50, 0.08, 0, 100, 52);
  apsp::matrix<int> d(g.n);
  BOOST_REQUIRE(apsp::bellman_ford(Policy::policy(), g.view(), d, bounded_width{}));
  BOOST_CHECK(d == widest_paths(g));
  g.add(3, 4, 101);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::dijkstra(Policy::policy(), g.view(), d, bounded_width{})),
      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rounding_that_improves_cycles, Policy, policies) {
  random_numbers random(53);
  arc_list<float> g{60, {}, {}, {}};
  for (std::size_t k = 0; k < 400; ++k) {
    g.add(random.index(g.n), random.index(g.n), static_cast<float>(random(0, 1000)) * 1e-8F);
  }
  for (const auto method : best_path_algorithms) {
    apsp::matrix<float> d(g.n);
    apsp::matrix<int> p(g.n);
    BOOST_REQUIRE(run_over(method, Policy::policy(), g.view(), d, p, least_risk{}));
    for (std::size_t u = 0; u < g.n; ++u) {
      for (std::size_t v = 0; v < g.n; ++v) {
        const auto vertices = apsp::path(p, u, v);  // throws if rows are not trees
        BOOST_REQUIRE_EQUAL(vertices.empty(), u != v && p[u][v] == -1);
      }
    }
  }
}
