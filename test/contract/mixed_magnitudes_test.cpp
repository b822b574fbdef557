// SPDX-License-Identifier: BSL-1.0
// Weights of any mixture of magnitudes, against sums without rounding of all paths of small graphs.
#define BOOST_TEST_MODULE mixed_magnitudes
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <apsp/unreachable.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using exact = boost::multiprecision::cpp_int;

/// @p x times a power of two that makes all numbers of type double whole.
exact scaled(double x) {
  constexpr int shift = 1200;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  exact whole = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  return whole << (exponent - 53 + shift);
}

/// Few magnitudes in each graph, so that weights cancel and absorb one another. Some weights make
/// the sum of a cycle zero, or close to it.
template <class T>
arc_list<T> random_mixture(std::mt19937_64& random) {
  arc_list<T> g;
  g.n = 3 + random() % 4;
  const int widest = std::is_same_v<T, float> ? 30 : 300;
  std::vector<T> magnitudes(1 + random() % 4);
  for (T& m : magnitudes) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * widest)) - widest;
    const double range = random() % 2 == 0 ? exponent : exponent / 20;
    m = static_cast<T>(std::pow(10.0, range) * (1 + static_cast<double>(random() % 80) / 10));
  }
  const std::size_t num_arcs = g.n + random() % (2 * g.n);
  std::vector<T> heights(g.n);
  for (T& h : heights) h = magnitudes[random() % magnitudes.size()] * static_cast<T>(random() % 3);
  const bool is_even = random() % 3 == 0;
  for (std::size_t a = 0; a < num_arcs; ++a) {
    const std::size_t u = random() % g.n;
    const std::size_t v = random() % g.n;
    if (u == v) continue;
    T weight = magnitudes[random() % magnitudes.size()];
    if (random() % 4 == 0) weight *= static_cast<T>(random() % 3);
    if (is_even) {
      weight = heights[v] - heights[u] + (random() % 2 == 0 ? weight : T{});
    } else if (random() % 3 == 0) {
      weight = -weight;
    }
    g.add(u, v, weight);
  }
  return g;
}

struct path_sum {
  exact length;
  exact magnitude;
};

/// The sums of all simple paths between all pairs, and the worst cycle.
template <class T>
class all_paths {
 public:
  explicit all_paths(const arc_list<T>& g) : graph_(g), sums_(g.n * g.n), is_on_path_(g.n) {
    for (std::size_t s = 0; s < g.n; ++s) extend(s, s, {0, 0});
  }

  const std::vector<path_sum>& between(std::size_t s, std::size_t t) const {
    return sums_[s * graph_.n + t];
  }
  /// A sum without rounding may differ by this much from one with rounding.
  exact rounding(const path_sum& sum) const {
    return sum.magnitude * graph_.n * 2 >> (std::numeric_limits<T>::digits - 1);
  }
  /// True if a cycle is negative, however its sum is rounded.
  bool has_negative_cycle() const {
    return std::any_of(cycles_.begin(), cycles_.end(),
                       [&](const path_sum& cycle) { return cycle.length + rounding(cycle) < 0; });
  }
  /// True if a cycle is shorter than zero, by however little. Shortest paths without repeated
  /// vertices then need not have shortest parts.
  bool has_shortening_cycle() const {
    return std::any_of(cycles_.begin(), cycles_.end(),
                       [](const path_sum& cycle) { return cycle.length < 0; });
  }

 private:
  void extend(std::size_t source, std::size_t u, const path_sum& sum) {
    sums_[source * graph_.n + u].push_back(sum);
    is_on_path_[u] = true;
    for (std::size_t a = 0; a < graph_.weights.size(); ++a) {
      if (graph_.from(a) != u) continue;
      const auto v = graph_.to(a);
      const exact weight = scaled(static_cast<double>(graph_.weights[a]));
      const path_sum longer{sum.length + weight, sum.magnitude + abs(weight)};
      if (v == source) cycles_.push_back(longer);
      if (!is_on_path_[v]) extend(source, v, longer);
    }
    is_on_path_[u] = false;
  }

  const arc_list<T>& graph_;
  std::vector<std::vector<path_sum>> sums_;
  std::vector<path_sum> cycles_;
  std::vector<bool> is_on_path_;
};

template <class T>
void check_result(const std::string& name, const arc_list<T>& g, const all_paths<T>& paths,
                  const apsp::result& done, const apsp::matrix<T>& d) {
  BOOST_TEST_CONTEXT(name) {
    if (!done) {
      const auto& cycle = done.negative_cycle();
      BOOST_REQUIRE_GE(cycle.size(), 2u);
      exact length = 0;
      for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
        bool has_arc = false;
        exact lightest = 0;
        for (std::size_t a = 0; a < g.weights.size(); ++a) {
          if (g.from(a) != cycle[i] || g.to(a) != cycle[i + 1]) {
            continue;
          }
          const exact weight = scaled(static_cast<double>(g.weights[a]));
          lightest = has_arc ? std::min(lightest, weight) : weight;
          has_arc = true;
        }
        BOOST_REQUIRE(has_arc);
        length += lightest;
      }
      BOOST_REQUIRE(length < 0);
      return;
    }
    BOOST_CHECK(!paths.has_negative_cycle());
    if (paths.has_negative_cycle()) return;
    const bool has_shortening_cycle = paths.has_shortening_cycle();
    for (std::size_t s = 0; s < g.n; ++s) {
      for (std::size_t t = 0; t < g.n; ++t) {
        const auto& all = paths.between(s, t);
        BOOST_REQUIRE_EQUAL(all.empty(), d[s][t] == apsp::unreachable<T>);
        if (all.empty()) continue;
        const exact distance = scaled(static_cast<double>(d[s][t]));
        BOOST_TEST_CONTEXT("from " << s << " to " << t << ": " << d[s][t]) {
          BOOST_CHECK(has_shortening_cycle ||
                      std::all_of(all.begin(), all.end(), [&](const path_sum& path) {
                        return distance <= path.length + paths.rounding(path);
                      }));
          BOOST_CHECK(std::any_of(all.begin(), all.end(), [&](const path_sum& path) {
            return abs(distance - path.length) <= paths.rounding(path);
          }));
        }
      }
    }
  }
}

template <class T, class Policy>
void check_all(const Policy& policy, const arc_list<T>& g) {
  const auto view = g.view();
  const all_paths<T> paths(g);
  const auto all = all_vertices(g.n);
  const auto check = [&](const std::string& name, auto solve) {
    apsp::matrix<T> d(g.n);
    const apsp::result done = solve(d);
    check_result(name, g, paths, done, d);
  };
  check("floyd_warshall", [&](auto& d) { return apsp::floyd_warshall(policy, view, d); });
  check("floyd_warshall with predecessors", [&](auto& d) {
    apsp::matrix<int> p(g.n);
    return apsp::floyd_warshall(policy, view, d, p);
  });
  check("repeated_squaring", [&](auto& d) { return apsp::repeated_squaring(policy, view, d); });
  check("johnson", [&](auto& d) { return apsp::johnson(policy, view, d); });
  check("bellman_ford", [&](auto& d) { return apsp::bellman_ford(policy, view, d); });
  check("elimination", [&](auto& d) { return apsp::elimination(policy, view, d); });
  check("all pairs", [&](auto& d) { return apsp::all_pairs_shortest_paths(policy, view, d); });
  check("distance_table", [&](auto& d) { return apsp::distance_table(policy, view, all, all, d); });
  check("table to single targets", [&](auto& d) {
    apsp::result done = apsp::johnson(policy, view, d);
    for (std::size_t t = 0; done && t < g.n; ++t) {
      const std::vector target{t};
      apsp::matrix<T> column(g.n, 1);
      done = apsp::distance_table(policy, view, all, target, column);
      for (std::size_t s = 0; s < g.n; ++s) d[s][t] = column[s][0];
    }
    return done;
  });
  check("for_each_row", [&](auto& d) {
    return apsp::for_each_row(policy, view, all, [&](std::size_t s, std::span<const T> row) {
      std::copy(row.begin(), row.end(), &d[s][0]);
    });
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_paths, Policy, policies) {
  const auto check = [](auto zero, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    check_all(Policy::policy(), random_mixture<decltype(zero)>(random));
  };
  // On a device small graphs take long.
  const std::uint64_t last = takes_plain_loops<Policy>() ? 400 : 40;
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    BOOST_TEST_CONTEXT("double, seed = " << seed) {
      check(double{}, seed);
    }
    BOOST_TEST_CONTEXT("float, seed = " << seed) {
      check(float{}, seed);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_large_weights_could_hide, Policy, policies) {
  const auto check = [](const arc_list<double>& g) { check_all(Policy::policy(), g); };
  for (const double large : {-1e3, -1e9, -1e16, -1e20, -1e308, 1e20}) {
    // Sums may leave the range of double, and kernels have no wider type.
    if (large == -1e308 && !takes_plain_loops<Policy>()) continue;
    BOOST_TEST_CONTEXT("large = " << large) {
      // A negative cycle, behind the large arc or beside it.
      check({5, {2, 3, 4}, {3, 4, 3}, {large, -1.5, 1}});
      check({5, {0, 3, 4}, {1, 4, 3}, {large, -1.5, 1}});
      // Paths from 4 to 3, one of them through 2.
      check({5, {0, 1, 2, 4, 4}, {1, 2, 3, 3, 2}, {large, 3, -2, -1, -2}});
      // A cycle that only rounds below zero.
      check({6, {0, 1, 2, 3, 4, 4}, {1, 2, 0, 4, 0, 5}, {.1, .7, -.8, .3, .2, large}});
    }
  }
}
