// SPDX-License-Identifier: BSL-1.0
// Compares Dijkstra, Bellman–Ford, elimination and rows over named and user-defined semirings to a
// plain fixed-point iteration.
#define BOOST_TEST_MODULE per_source_semiring
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/path.hpp>
#include <apsp/semiring.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/changed_graphs.hpp"
#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/per_source.hpp"
#include "../common/policies.hpp"
#include "../common/semirings.hpp"

using namespace apsp_test;

namespace {

using exact_semirings =
    std::tuple<apsp::max_min<float>, apsp::max_min<std::int32_t>, apsp::min_max<double>,
               apsp::min_max<std::int64_t>, apsp::max_times<float>, apsp::max_times<double>>;
using policies_and_exact_semirings = with_policies<over, exact_semirings>;

template <class S>
constexpr bool multiplies = std::is_same_v<S, apsp::max_times<typename S::value_type>>;

// Maps the weights 0 to 9 to values of the semiring: of all signs, or powers of two, whose products
// are exact.
template <class S>
typename S::value_type weight_of(std::int64_t k) {
  using T = typename S::value_type;
  if constexpr (multiplies<S>) {
    return k == 9 ? T{0} : static_cast<T>(std::ldexp(1.0, -static_cast<int>(k % 3)));
  } else {
    return static_cast<T>(k - 4);
  }
}
template <class S>
arc_list<typename S::value_type> weighted_for(const arc_list<std::int64_t>& g) {
  arc_list<typename S::value_type> arcs{g.n, g.sources, g.targets, {}};
  for (const auto w : g.weights) arcs.weights.push_back(weight_of<S>(w));
  return arcs;
}

struct problem {
  std::string name;
  arc_list<std::int64_t> arcs;
  std::vector<std::size_t> sources;
};

std::vector<problem> problems() {
  std::vector<problem> all;
  const auto add = [&](std::string name, arc_list<std::int64_t> arcs) {
    auto sources = all_vertices(arcs.n);
    all.push_back({std::move(name), std::move(arcs), std::move(sources)});
  };
  for (const std::size_t n : {0, 1, 2, 31, 33, 63, 64, 65, 97}) {
    add("random, n = " + std::to_string(n) + ", p = 0.08, seed = n",
        random_graph<std::int64_t>(n, 0.08, 0, 9, n));
  }
  add("complete, n = 40, seed = 1", random_graph<std::int64_t>(40, 1, 0, 9, 1));
  add("no arcs, n = 20", random_graph<std::int64_t>(20, 0, 0, 9, 1));
  // All paths are equally good, and so are all cycles.
  add("equal weights, n = 50, seed = 2", random_graph<std::int64_t>(50, 0.1, 3, 3, 2));
  add("undirected, n = 45, seed = 3", undirected(random_graph<std::int64_t>(45, 0.03, 0, 9, 3)));
  random_numbers random(4);
  auto loops = random_graph<std::int64_t>(37, 0.08, 0, 9, 4);
  for (std::size_t k = loops.size(); k-- > 0;) {
    loops.add(loops.from(k), loops.to(k), random(0, 9));
  }
  for (std::size_t v = 0; v < loops.n; ++v) loops.add(v, v, random(0, 8));
  add("parallel arcs and self-loops, n = 37, seed = 4", loops);
  all.push_back({"sources again and again, n = 70, seed = 5",
                 random_graph<std::int64_t>(70, 0.05, 0, 9, 5),
                 {69, 3, 3, 0, 69, 11}});
  all.push_back({"no sources, n = 10", random_graph<std::int64_t>(10, 0.3, 0, 9, 6), {}});
  arc_list<std::int64_t> star{601, {}, {}, {}};
  for (std::size_t v = 1; v < star.n; ++v) {
    star.add(0, v, random(0, 9));
    if (v % 2 == 0) star.add(v, 0, random(0, 8));
  }
  all.push_back({"star, n = 601, seed = 4", star, {0, 1, 2, 600, 64}});
  all.push_back({"ring, n = 130, seed = 8",
                 to_arcs<std::int64_t>(ring_graph<std::int32_t>(130, ring_kind::both_ways, 8, 8)),
                 {0, 129, 64, 65, 1}});
  // Few enough sources for a device to solve one after another.
  all.push_back({"one of many arcs, n = 110, seed = 10",
                 random_graph<std::int64_t>(110, 0.7, 0, 9, 10),
                 {109}});
#ifdef APSP_TEST_ON_DEVICE
  // Enough sources to fill the device with the widest tiles.
  all.push_back({"more sources than vertices, complete, n = 36, seed = 9",
                 random_graph<std::int64_t>(36, 1, 0, 9, 9),
                 {}});
  for (std::size_t s = 0; s < 4500; ++s) all.back().sources.push_back(s * s % 36);
#endif
  all.push_back({"random, n = 700, seed = 7",
                 random_graph<std::int64_t>(700, 0.006, 0, 8, 7),
                 {0, 699, 350, 3, 4}});
  return all;
}

// The problems with the weights and results of one semiring, shared by all policies.
template <class S>
struct solved_problem {
  std::string name;
  arc_list<typename S::value_type> arcs;
  std::vector<std::size_t> sources;
  apsp::matrix<typename S::value_type> expected;
};
template <class S>
const std::vector<solved_problem<S>>& solved_problems() {
  static const auto solved = [] {
    std::vector<solved_problem<S>> all;
    for (const auto& p : problems()) {
      const auto arcs = weighted_for<S>(p.arcs);
      all.push_back({p.name, arcs, p.sources, best_values<S>(arcs, p.sources)});
    }
    return all;
  }();
  return solved;
}

template <class T>
void check_exactly(const apsp::matrix<T>& expected, const apsp::matrix<T>& found) {
  BOOST_REQUIRE_EQUAL(found.rows(), expected.rows());
  for (std::size_t i = 0; i < expected.rows(); ++i) {
    for (std::size_t v = 0; v < expected.cols(); ++v) {
      if (found[i][v] == expected[i][v]) continue;
      BOOST_ERROR("entry (" << i << ", " << v << ") is " << found[i][v] << ", not "
                            << expected[i][v]);
      return;
    }
  }
}

/// @param asked  empty if the call has chosen the algorithm.
template <class Policy>
void check_result(const apsp::result& done, std::optional<apsp::algorithm> asked) {
  BOOST_REQUIRE(done);
  BOOST_CHECK(!done.saturated() && !done.stopped());
  const bool is_as_asked = done.executed_on() == Policy::expected;
  BOOST_CHECK_EQUAL(done.fallback_reason().empty(), is_as_asked);
  const bool on_host = runs_on_host(done.executed_on());
  if (!on_host) {
    const bool is_elimination = asked == apsp::algorithm::elimination;
    BOOST_CHECK(done.algorithm() ==
                (is_elimination ? apsp::algorithm::elimination : apsp::algorithm::bellman_ford));
  } else if (asked) {
    BOOST_CHECK(done.algorithm() == *asked);
  } else {
    BOOST_CHECK(done.algorithm() == apsp::algorithm::dijkstra ||
                done.algorithm() == apsp::algorithm::bellman_ford ||
                done.algorithm() == apsp::algorithm::elimination);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(values_and_predecessors, Over, policies_and_exact_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  for (const auto& task : solved_problems<S>()) {
    if (is_slow<Over> && task.sources.size() > 1000) continue;
    const auto& g = task.arcs;
    const auto& expected = task.expected;
    for (const auto method : best_path_algorithms) {
      BOOST_TEST_CONTEXT(task.name << ", " << to_string(method)) {
        apsp::matrix<T> distances(task.sources.size(), g.n, T(7));
        const auto done = run_over(method, Over::policy(), g.view(), task.sources, distances, S{});
        check_result<typename Over::policy_type>(done, method);
        check_exactly(expected, distances);

        apsp::matrix<T> again(task.sources.size(), g.n, T(7));
        apsp::matrix<std::int32_t> predecessors(task.sources.size(), g.n, -5);
        BOOST_REQUIRE(
            run_over(method, Over::policy(), g.view(), task.sources, again, predecessors, S{}));
        BOOST_CHECK(again == distances);
        check_paths<S>(g, task.sources, expected, predecessors);
      }
    }
    BOOST_TEST_CONTEXT(task.name << ", for_each_row") {
      apsp::matrix<T> distances(task.sources.size(), g.n, T(7));
      apsp::matrix<std::int32_t> predecessors(task.sources.size(), g.n, -5);
      const auto take = [&](std::size_t row, std::size_t source, std::span<const T> values,
                            std::span<const std::int32_t> tree) {
        BOOST_REQUIRE_LT(row, task.sources.size());
        BOOST_REQUIRE_EQUAL(source, task.sources[row]);
        std::copy(values.begin(), values.end(), distances[row]);
        std::copy(tree.begin(), tree.end(), predecessors[row]);
      };
      const auto done = apsp::for_each_row(Over::policy(), g.view(), task.sources, take, S{});
      check_result<typename Over::policy_type>(done, std::nullopt);
      check_exactly(expected, distances);
      check_paths<S>(g, task.sources, expected, predecessors);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(from_every_vertex, Over, policies_and_exact_semirings) {
  using S = typename Over::semiring;
  using T = typename Over::value;
  auto g = weighted_for<S>(random_graph<std::int64_t>(66, 0.06, 0, 9, 11));
  // An arc of weight `unreachable` is not an edge, although that is the best value in some
  // semirings.
  for (std::size_t u = 0; u + 1 < g.n; u += 3) g.add(u, u + 1, apsp::unreachable<T>);
  const auto expected = best_values<S>(g);
  for (const auto method : best_path_algorithms) {
    apsp::matrix<T> distances(g.n);
    apsp::matrix<std::int32_t> predecessors(g.n);
    BOOST_REQUIRE(run_over(method, Over::policy(), g.view(), distances, S{}));
    check_exactly(expected, distances);
    // Rows that differ from the algorithm's internal type, with hops counted.
    std::vector<std::vector<T>> rows(g.n, std::vector<T>(g.n));
    BOOST_REQUIRE(
        run_over(method, Over::policy().prefer_fewest_edges(), g.view(), rows, predecessors, S{}));
    for (std::size_t u = 0; u < g.n; ++u) {
      BOOST_CHECK(std::equal(rows[u].begin(), rows[u].end(), distances[u]));
    }
    check_paths<S>(g, expected, predecessors);
  }
}

BOOST_AUTO_TEST_CASE(relaxations_of_cuda_naive) {
#ifdef APSP_TEST_ON_DEVICE
  constexpr auto policy = apsp::cuda_naive.required();
#else
  constexpr auto policy = apsp::cuda_naive;
#endif
  const auto numbers = random_graph<std::int64_t>(97, 0.05, 0, 9, 13);
  const auto check = [&](const auto& semiring, apsp::relaxation_strategy strategy) {
    using S = std::remove_cvref_t<decltype(semiring)>;
    using T = typename S::value_type;
    const auto g = weighted_for<S>(numbers);
    const auto expected = best_values<S>(g);
    apsp::matrix<T> distances(g.n);
    apsp::matrix<std::int32_t> predecessors(g.n);
    BOOST_REQUIRE(
        apsp::bellman_ford(policy.relax(strategy), g.view(), distances, predecessors, semiring));
    check_exactly(expected, distances);
    check_paths<S>(g, expected, predecessors);
  };
  for (const auto kind :
       {apsp::relaxations::scatter_and_check, apsp::relaxations::by_edge,
        apsp::relaxations::by_incoming_edges, apsp::relaxations::by_outgoing_edges}) {
    check(apsp::max_min<float>{}, {kind, 3});
    check(apsp::max_min<std::int64_t>{}, {kind, 3});
    check(apsp::max_times<double>{}, {kind, 3});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(probabilities, Policy, policies) {
  // Products are rounded, but always along a path, and a longer path never has a larger product:
  // all policies agree bit for bit, and so do Dijkstra's algorithm and Bellman–Ford.
  random_numbers random(12);
  arc_list<double> g{120, {}, {}, {}};
  for (std::size_t k = 0; k < 500; ++k) {
    g.add(random.index(g.n), random.index(g.n), static_cast<double>(random(0, 1000)) / 1000);
  }
  const apsp::max_times<double> reliable;
  apsp::matrix<double> expected(g.n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g.view(), expected, reliable));
  const auto rounded = best_values<apsp::max_times<double>>(g);
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE_SMALL(rounded[u][v] - expected[u][v], 1e-14);
  });
  for (const auto method : best_path_algorithms) {
    apsp::matrix<double> distances(g.n);
    apsp::matrix<std::int32_t> predecessors(g.n);
    BOOST_REQUIRE(run_over(method, Policy::policy(), g.view(), distances, predecessors, reliable));
    if (method != apsp::algorithm::elimination) {
      BOOST_CHECK(distances == expected);
      continue;
    }
    // Elimination multiplies in another order.
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      BOOST_REQUIRE_SMALL(distances[u][v] - expected[u][v], 1e-14 * expected[u][v] + 1e-300);
    });
  }
}

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_integers, Policy, policies) {
  // 0 and 1 are the only integers that are probabilities.
  const auto chain = make_graph<std::int32_t>(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 0}, {4, 0, 1}});
  apsp::matrix<std::int32_t> d(5), p(5);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), chain.view(), d, p, apsp::max_times<int>{}));
  BOOST_CHECK_EQUAL(d[4][2], 1);
  BOOST_CHECK_EQUAL(d[0][3], 0);
  BOOST_CHECK_EQUAL(d[3][3], 1);
  BOOST_CHECK_EQUAL(p[0][3], -1);
}
#endif

BOOST_AUTO_TEST_CASE_TEMPLATE(products_that_are_too_small, Policy, policies) {
  // A product that rounds to 0 is not a path.
  arc_list<float> thin{60, {}, {}, {}};
  for (std::size_t v = 0; v + 1 < thin.n; ++v) thin.add(v, v + 1, 0x1p-10F);
  const std::vector<int> sources{0};
  apsp::matrix<float> f(1, thin.n);
  apsp::matrix<std::int32_t> q(1, thin.n);
  for (const auto method : best_path_algorithms) {
    BOOST_REQUIRE(
        run_over(method, Policy::policy(), thin.view(), sources, f, q, apsp::max_times<float>{}));
    BOOST_CHECK_EQUAL(f[0][12], 0x1p-120F);
    BOOST_CHECK_EQUAL(f[0][20], 0);
    BOOST_CHECK_EQUAL(q[0][20], -1);
    BOOST_CHECK_EQUAL(f[0][59], 0);
    BOOST_CHECK_EQUAL(q[0][59], -1);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinite_weights, Policy, policies) {
  // Minus infinity is an ordinary value; infinity is not an edge.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto g = make_graph<float>(4, {{0, 1, -infinity}, {1, 2, 3}, {0, 3, infinity}});
  apsp::matrix<float> d(4);
  apsp::matrix<int> p(4);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), g.view(), d, p, apsp::min_max<float>{}));
  BOOST_CHECK_EQUAL(d[0][1], -infinity);
  BOOST_CHECK_EQUAL(p[0][1], 0);
  BOOST_CHECK_EQUAL(d[0][2], 3);
  BOOST_CHECK_EQUAL(p[0][2], 1);
  BOOST_CHECK_EQUAL(d[0][3], infinity);
  BOOST_CHECK_EQUAL(p[0][3], -1);
  // A path of width minus infinity is equivalent to no path.
  BOOST_REQUIRE(apsp::bellman_ford(Policy::policy(), g.view(), d, p, apsp::max_min<float>{}));
  BOOST_CHECK_EQUAL(d[0][1], -infinity);
  BOOST_CHECK_EQUAL(p[0][1], -1);
  BOOST_CHECK_EQUAL(d[0][2], -infinity);
  BOOST_CHECK_EQUAL(d[1][2], 3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cutoffs, Policy, policies) {
  const auto limited = [](const auto& g, const auto semiring, long double limit) {
    using S = std::remove_cvref_t<decltype(semiring)>;
    using T = typename S::value_type;
    auto expected = best_values<S>(g);
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      const auto exact = static_cast<long double>(expected[u][v]);
      const bool is_beyond = std::is_same_v<S, apsp::min_max<T>> ? exact > limit : exact < limit;
      if (u != v && is_beyond) expected[u][v] = S::zero;
    });
    for (const auto method : best_path_algorithms) {
      BOOST_TEST_CONTEXT(to_string(method) << ", cutoff " << limit) {
        apsp::matrix<T> d(g.n);
        apsp::matrix<std::int32_t> p(g.n);
        BOOST_REQUIRE(run_over(method, Policy::policy().cutoff(limit), g.view(), d, p, semiring));
        check_exactly(expected, d);
        check_paths<S>(g, expected, p);
      }
    }
  };
  const auto numbers = random_graph<std::int32_t>(60, 0.05, 0, 99, 21);
  const auto wide = converted<std::int64_t>(numbers);
  for (const long double limit : {0.0L, 50.0L, 49.5L, 98.9L, 1e30L}) {
    limited(numbers, apsp::max_min<std::int32_t>{}, limit);
    limited(wide, apsp::min_max<std::int64_t>{}, limit);
  }
  auto chances = converted<double>(numbers);
  for (double& w : chances.weights) w = std::ldexp(1.0, -static_cast<int>(w) % 5);
  limited(chances, apsp::max_times<double>{}, 0.125L);
  limited(chances, apsp::max_times<double>{}, 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_refused, Policy, policies) {
  const auto refused = [](const auto& g, const auto& semiring, const std::string& part) {
    using T = typename std::remove_cvref_t<decltype(semiring)>::value_type;
    apsp::matrix<T> d(g.n, g.n, T(42));
    for (const auto method : best_path_algorithms) {
      check_refused([&] { return run_over(method, Policy::policy(), g.view(), d, semiring); },
                    part);
    }
    BOOST_CHECK(std::all_of(d.begin(), d.end(), [](T x) { return x == T(42); }));
  };
  const std::string not_admitted = "apsp: arc 3 -> 5 has a weight that the semiring does not admit";
  refused(make_graph<double>(6, {{0, 1, .5}, {3, 5, 1.5}}), apsp::max_times<double>{},
          not_admitted);
  refused(make_graph<double>(6, {{3, 5, -.5}}), apsp::max_times<double>{}, not_admitted);
#ifndef APSP_TEST_ON_DEVICE  // it has no kernels for this type
  refused(make_graph<int>(6, {{3, 5, 2}}), apsp::max_times<int>{}, not_admitted);
#endif
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused(make_graph<double>(6, {{3, 5, nan}}), apsp::max_times<double>{},
          "apsp: arc 3 -> 5 has a weight of NaN");
  refused(make_graph<double>(6, {{3, 5, nan}}), apsp::max_min<double>{}, "3 -> 5");
  refused(make_graph<double>(4, {{3, 5, 1}}), apsp::max_min<double>{},
          "out of range: the graph has 4 vertices");

  const auto g = make_graph<int>(4, {{0, 1, 1}});
  apsp::matrix<int> small(3);
  check_refused(
      [&] { return apsp::dijkstra(Policy::policy(), g.view(), small, apsp::max_min<int>{}); });
  const std::vector<int> sources{4};
  apsp::matrix<int> row(1, 4);
  check_refused([&] {
    return apsp::bellman_ford(Policy::policy(), g.view(), sources, row, apsp::max_min<int>{});
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(min_plus_is_the_default, Policy, policies) {
  const auto g = negative_graph<int>(50, 0.1, 31);
  apsp::matrix<int> expected(g.n), d(g.n);
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), expected));
  BOOST_REQUIRE(apsp::johnson(Policy::policy(), g.view(), d, apsp::min_plus<int>{}));
  BOOST_CHECK(d == expected);
  d = apsp::matrix<int>(g.n);
  BOOST_REQUIRE(apsp::bellman_ford(Policy::policy(), g.view(), d, apsp::min_plus<int>{}));
  BOOST_CHECK(d == expected);
  check_refused(
      [&] { return apsp::dijkstra(Policy::policy(), g.view(), d, apsp::min_plus<int>{}); });
  const auto sources = all_vertices(g.n);
  const auto take = [&](std::size_t s, std::span<const int> row) {
    BOOST_CHECK(std::equal(row.begin(), row.end(), expected[s]));
  };
  BOOST_REQUIRE(
      apsp::for_each_row(Policy::policy(), g.view(), sources, take, apsp::min_plus<int>{}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(progress_and_stop, Policy, policies) {
  const auto g = random_graph<int>(80, 0.1, 0, 99, 41);
  apsp::matrix<int> d(g.n);
  for (const auto method : best_path_algorithms) {
    check_watched_and_stopped(Policy::policy(), g.n, [&](const auto& policy) {
      return run_over(method, policy, g.view(), d, apsp::max_min<int>{});
    });
  }
}

#ifdef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(semirings_without_kernels, Policy, policies) {
  const auto bits = make_graph<std::int32_t>(3, {{0, 1, 1}});
  apsp::matrix<std::int32_t> products(3);
  check_refused<apsp::device_error>([&] {
    return apsp::dijkstra(Policy::policy(), bits.view(), products, apsp::max_times<std::int32_t>{});
  });
  const auto g = make_graph<std::int16_t>(3, {{0, 1, 1}});
  apsp::matrix<std::int16_t> d(3);
  check_refused<apsp::device_error>(
      [&] { return apsp::dijkstra(Policy::policy(), g.view(), d, apsp::max_min<std::int16_t>{}); });
}
#else
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
    for_each_pair(fares.n, [&](std::size_t u, std::size_t v) {
      if ((*zones)[u][v] == wide_unreachable<std::int64_t>) {
        BOOST_REQUIRE(d[u][v] == cheapest::zero);
        return;
      }
      BOOST_REQUIRE_EQUAL(d[u][v].zones, (*zones)[u][v]);
      const auto vertices = apsp::path(p, u, v);
      BOOST_REQUIRE_EQUAL(static_cast<std::size_t>(d[u][v].rides) + 1, vertices.size());
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(members_that_are_not_static, Policy, policies) {
  auto g = random_graph<int>(50, 0.08, 0, 100, 52);
  apsp::matrix<int> d(g.n);
  BOOST_REQUIRE(apsp::bellman_ford(Policy::policy(), g.view(), d, bounded_width{}));
  auto expected = best_values<apsp::max_min<int>>(g);
  for (int& width : expected) width = std::clamp(width, 0, 100);
  BOOST_CHECK(d == expected);
  g.add(3, 4, 101);
  check_refused([&] { return apsp::dijkstra(Policy::policy(), g.view(), d, bounded_width{}); });
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
    for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
      const auto vertices = apsp::path(p, u, v);  // throws if rows are not trees
      BOOST_REQUIRE_EQUAL(vertices.empty(), u != v && p[u][v] == -1);
    });
  }
}
#endif
