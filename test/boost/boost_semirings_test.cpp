// SPDX-License-Identifier: BSL-1.0
// Compares Boost.Graph's functions with a policy as first argument and the parameters of a semiring
// to Boost's own with the same function objects.
#define BOOST_TEST_MODULE boost_semirings
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost/adjacency_list.hpp>
#include <apsp/boost/drop_in.hpp>
#include <apsp/boost/filtered_graph.hpp>
#include <apsp/distance_functions.hpp>
#include <apsp/error.hpp>
#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "../common/boost_calls.hpp"
#include "../common/graphs.hpp"
#include "../common/host_or_device.hpp"
#include "../common/observed_calls.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Compares bit for bit, except for products: kernels may combine paths in another order.
template <class T>
void check_same(const apsp::matrix<T>& got, const apsp::matrix<T>& expected, bool exact) {
  for_each_pair(got.rows(), [&](std::size_t u, std::size_t v) {
    bool same = got[u][v] == expected[u][v];
    if constexpr (std::is_floating_point_v<T>) {
      const T gap = std::abs(got[u][v] - expected[u][v]);
      same = same || (!exact && gap <= T(64) * std::numeric_limits<T>::epsilon() * expected[u][v]);
    }
    if (!same) {
      BOOST_FAIL("entry (" << u << ", " << v << ") is " << got[u][v] << ", not " << expected[u][v]);
    }
  });
}

/// The parameters of one call.
template <class T, class Compare, class Combine>
struct parameters {
  Compare compare;
  Combine combine;
  T inf;
  T zero;
  bool exact = true;
};
template <class T, class Compare, class Combine>
parameters(Compare, Combine, T, T) -> parameters<T, Compare, Combine>;
template <class T, class Compare, class Combine>
parameters(Compare, Combine, T, T, bool) -> parameters<T, Compare, Combine>;

template <class Policy, class T, class Compare, class Combine>
void check_like_boost(const Policy& policy, const arc_list<T>& arcs,
                      const parameters<T, Compare, Combine>& p) {
  const auto g = build_directed(arcs);
  const auto w = get(boost::edge_weight, g);
  apsp::matrix<T> expected(arcs.n, arcs.n, T(3));
  apsp::matrix<T> d = expected;
  const bool valid = boost::floyd_warshall_all_pairs_shortest_paths(g, expected, w, p.compare,
                                                                    p.combine, p.inf, p.zero);
  BOOST_CHECK_EQUAL(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, w, p.compare,
                                                                  p.combine, p.inf, p.zero),
                    valid);
  if (valid) check_same(d, expected, p.exact);
}

/// @param on_diagonal  the value of some diagonal entries; the others are inf.
template <class Policy, class T, class Compare, class Combine>
void check_like_boost_initialized(const Policy& policy, const arc_list<T>& arcs,
                                  const parameters<T, Compare, Combine>& p, T on_diagonal) {
  const auto g = build_directed(arcs);
  apsp::matrix<T> expected(arcs.n, arcs.n, p.inf);
  for (std::size_t v = 0; v < arcs.n; v += 2) expected[v][v] = on_diagonal;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    expected[arcs.from(k)][arcs.to(k)] = arcs.weights[k];
  }
  apsp::matrix<T> d = expected;
  const bool valid = boost::floyd_warshall_initialized_all_pairs_shortest_paths(
      g, expected, p.compare, p.combine, p.inf, p.zero);
  BOOST_CHECK_EQUAL(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(
                        policy, g, d, p.compare, p.combine, p.inf, p.zero),
                    valid);
  if (valid) check_same(d, expected, p.exact);
}

/// Boost's Johnson subtracts, which is not defined here, so the reference is its Floyd–Warshall.
template <class Policy, class T, class Compare, class Combine>
void check_johnson(const Policy& policy, const arc_list<T>& arcs,
                   const parameters<T, Compare, Combine>& p) {
  const auto g = build_directed(arcs);
  const auto w = get(boost::edge_weight, g);
  apsp::matrix<T> expected(arcs.n), d(arcs.n);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(g, expected, w, p.compare, p.combine,
                                                               p.inf, p.zero));
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d, get(boost::vertex_index, g), w,
                                                     p.compare, p.combine, p.inf, p.zero));
  check_same(d, expected, p.exact);
}

constexpr std::size_t sizes[] = {0, 1, 2, 33, 65, 129};

/// Random arcs with self-loops and parallel arcs.
template <class T>
arc_list<T> arcs_with_loops(std::size_t n, std::int64_t low, std::int64_t high, double p = 0.05) {
  auto arcs = random_graph<T>(n, p, low, high, n + 1);
  random_numbers random(n + 2);
  for (std::size_t k = 0; k < n; k += 3) arcs.add(k, k, static_cast<T>(random(low, high)));
  for (std::size_t k = 0; k + 1 < n; k += 5) arcs.add(k, k + 1, static_cast<T>(random(low, high)));
  for (std::size_t k = 0; k + 1 < n; k += 10) arcs.add(k, k + 1, static_cast<T>(random(low, high)));
  return arcs;
}

template <class Policy, class T, class P>
void check_all(const Policy& policy, const arc_list<T>& arcs, const P& p, T on_diagonal) {
  check_like_boost(policy, arcs, p);
  check_like_boost_initialized(policy, arcs, p, on_diagonal);
  check_johnson(policy, arcs, p);
}

/// Checks a call without kernels: a required policy must refuse it.
template <class Check>
void check_plain(Check check) {
  if constexpr (on_device) {
    BOOST_CHECK_THROW(check(), apsp::device_error);
  } else {
    check();
  }
}

}  // namespace

// One weight type per semiring; semiring_test covers the types.
BOOST_AUTO_TEST_CASE_TEMPLATE(widest_paths, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr int largest = (std::numeric_limits<int>::max)();
  constexpr int least = std::numeric_limits<int>::lowest();
  const std::greater<int> wider;
  const apsp::minimum<int> narrowest;
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n + 1) {
      const auto arcs = arcs_with_loops<int>(n, 1, 40);
      check_all(policy, arcs, parameters{wider, narrowest, 0, largest}, 50);
      // Bounds that are equal to weights, and the limits of the range.
      check_all(policy, arcs, parameters{wider, narrowest, 0, 40}, 2);
      check_all(policy, arcs, parameters{wider, narrowest, least, largest}, -1);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bottleneck_paths, Policy, policies) {
  const auto policy = Policy::policy();
  constexpr auto largest = (std::numeric_limits<float>::max)();
  const std::less<> flatter;
  const apsp::maximum<> steepest;
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n + 1) {
      const auto arcs = arcs_with_loops<float>(n, -20, 40);
      for (const auto& p : {parameters{flatter, steepest, largest, -20.f},
                            parameters{flatter, steepest, 41.f, -1000.f}}) {
        check_like_boost(policy, arcs, p);
        check_like_boost_initialized(policy, arcs, p, -30.f);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(most_reliable_paths, Policy, policies) {
  const auto policy = Policy::policy();
  const parameters p{std::greater<double>{}, std::multiplies<double>{}, 0.0, 1.0, false};
  for (const std::size_t n : sizes) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n + 1) {
      auto arcs = arcs_with_loops<double>(n, 0, 16);
      for (double& w : arcs.weights) w /= 16;
      check_all(policy, arcs, p, 1.0);
      check_like_boost_initialized(policy, arcs, p, 0.0);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_spellings, Policy, policies) {
  const auto policy = Policy::policy();
  const auto arcs = arcs_with_loops<int>(65, 1, 40);
  const auto by_ranges = std::ranges::min;
  check_like_boost(policy, arcs, parameters{std::greater<>{}, by_ranges, 0, 99});
  const auto check_named = [&]<class S>(S) {
    check_like_boost(
        policy, arcs,
        parameters{apsp::distance_compare<S>{}, apsp::distance_combine<S>{}, S::zero, S::one});
  };
  check_named(apsp::min_max<int>{});
  check_named(apsp::min_plus<int>{});
  // With named parameters, and on a filtered graph.
  const auto g = build_directed(arcs);
  const auto named = boost::distance_compare(std::greater<int>())
                         .distance_combine(apsp::minimum<int>())
                         .distance_inf(0)
                         .distance_zero(99);
  const boost::filtered_graph<list_graph<boost::directedS, int>, boost::keep_all,
                              bool (*)(std::size_t)>
      part(
          g, boost::keep_all(), +[](std::size_t v) { return v % 3 != 1; });
  apsp::matrix<int> expected(65, 65, -7);
  apsp::matrix<int> d = expected;
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(part, expected, named));
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, part, d, named));
  check_same(d, expected, true);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reachability, Policy, policies) {
  const auto policy = Policy::policy();
  auto arcs = arcs_with_loops<bool>(65, 0, 1, 0.02);
  using S = apsp::or_and;
  check_like_boost(
      policy, arcs,
      parameters{apsp::distance_compare<S>{}, apsp::distance_combine<S>{}, false, true});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(plain_loops, Policy, policies) {
  const auto policy = Policy::policy();
  for (const std::size_t n : {7, 65}) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << n + 1) {
      const auto arcs = arcs_with_loops<int>(n, 0, 40, 0.2);
      const std::greater<int> wider;
      const apsp::minimum<int> narrowest;
      const auto check_like = [&](const auto& graph, const auto& p) {
        check_plain([&] { check_like_boost(policy, graph, p); });
      };
      // Weights worse than inf, cycles wider than the empty path, and a weight equal to
      // `unreachable`.
      check_like(arcs, parameters{wider, narrowest, 20, 1000});
      check_plain([&] {
        check_like_boost_initialized(policy, arcs, parameters{wider, narrowest, 20, 1000}, 9);
      });
      check_like(arcs, parameters{wider, narrowest, 0, 30});
      auto unbounded = arcs;
      unbounded.add(0, 1, (std::numeric_limits<int>::max)());
      check_like(unbounded, parameters{wider, narrowest, 0, (std::numeric_limits<int>::max)()});
      // Factors > 1 whose products wrap around (hence unsigned), and an inf that is worse than
      // `zero`.
      const auto factors = arcs_with_loops<unsigned>(n, 0, 40, 0.2);
      check_like(factors,
                 parameters{std::greater<unsigned>{}, std::multiplies<unsigned>{}, 0U, 1U});
      const auto bits = arcs_with_loops<int>(n, 0, 1);
      check_like(bits, parameters{wider, std::multiplies<int>{}, -1, 1});
    }
  }
  // In Johnson's function, a weight that is not better than inf is not an edge.
  const auto arcs = arcs_with_loops<int>(65, 0, 40);
  auto above = arcs_with_loops<int>(65, 0, 40);
  for (int& w : above.weights) w = w > 20 ? w : 20;
  apsp::matrix<int> expected(65), d(65);
  const auto g = build_directed(above);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(
      g, expected, get(boost::edge_weight, g), std::greater<int>(), apsp::minimum<int>(), 20, 99));
  const auto h = build_directed(arcs);
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(
      policy, h, d, get(boost::vertex_index, h), get(boost::edge_weight, h), std::greater<int>(),
      apsp::minimum<int>(), 20, 99));
  check_same(d, expected, true);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(contract, Policy, policies) {
  const auto policy = Policy::policy();
  auto arcs = arcs_with_loops<float>(65, 1, 40);
  const std::greater<> wider;
  const apsp::minimum<> narrowest;
  const auto solve = [&](const auto& how, const list_graph<boost::directedS, float>& g,
                         apsp::matrix<float>& d) {
    return apsp::floyd_warshall_all_pairs_shortest_paths(how, g, d, get(boost::edge_weight, g),
                                                         wider, narrowest, 0.f, 1000.f);
  };
  apsp::matrix<float> all(65), wide(65);
  BOOST_REQUIRE(solve(policy, build_directed(arcs), all));
  BOOST_REQUIRE(solve(policy.cutoff(25), build_directed(arcs), wide));
  for (float& entry : all) {
    if (entry < 25) entry = 0;
  }
  check_same(wide, all, true);

  BOOST_CHECK(!solve(policy.stop(requested_stop()), build_directed(arcs), all));

  arcs.weights[7] = std::numeric_limits<float>::quiet_NaN();
  BOOST_CHECK_THROW(solve(policy, build_directed(arcs), all), std::invalid_argument);
}

#ifndef APSP_TEST_ON_DEVICE
namespace {

/// The width of a path as a number of lanes, up to a limit: wider paths are equivalent. The limit
/// is a data member, so `zero` and `one` are not static constants.
struct widest_up_to {
  using value_type = std::int16_t;
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  std::int16_t zero = 0;
  std::int16_t one = 100;

  std::int16_t plus(std::int16_t a, std::int16_t b) const { return a < b ? b : a; }
  std::int16_t times(std::int16_t a, std::int16_t b) const { return std::min({a, b, one}); }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(semirings_of_the_user, Policy, policies) {
  const auto policy = Policy::policy();
  const widest_up_to semiring{0, 30};
  auto arcs = arcs_with_loops<std::int16_t>(65, 1, 40);
  const parameters p{apsp::distance_compare(semiring), apsp::distance_combine(semiring),
                     semiring.zero, semiring.one};
  // A path of one arc may exceed the limit, so that the empty path changes it, as in Boost.
  check_like_boost(policy, arcs, p);
  for (std::int16_t& w : arcs.weights) w = std::min(w, semiring.one);
  check_like_boost(policy, arcs, p);
  check_like_boost_initialized(policy, arcs, p, std::int16_t{8});
}
#endif
