// SPDX-License-Identifier: BSL-1.0
// Tests of distances that fit in a type although n times the largest weight does not: the bound
// that proves it, and the results of every policy.
#define BOOST_TEST_MODULE distance_bound
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost_graph.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/repeated_squaring.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

#include "../common/exact_rows.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;
namespace detail = apsp::detail;

namespace {

// A device computes a bound from 2048 vertices on, the host from 512.
#ifdef APSP_TEST_ON_DEVICE
constexpr std::size_t many = 2100;
constexpr double more_arcs = 0.03;
#else
constexpr std::size_t many = 520;
constexpr double more_arcs = 0.1;
#endif

using integers = std::tuple<std::int32_t, std::uint32_t, std::int64_t>;

template <class T>
using code_t = detail::narrowest_code_t<T>;
/// The value of "unreachable" in the first type that is tried; distances must be smaller.
template <class T>
constexpr std::int64_t limit = (std::numeric_limits<code_t<T>>::max)() / 2;

/// The method that computes a bound.
enum class way { passes, arcs };

template <class T, class Graph>
std::optional<code_t<T>> bound_of(const Graph& g, std::size_t n, way how, int threads) {
  using C = code_t<T>;
  const detail::monitor watch{apsp::unobserved{}};
  const C unreachable = static_cast<C>(limit<T>);
  if (how == way::passes) {
    return detail::root_search<C, T, Graph>(g, n, unreachable, threads, watch).run(10 * n + 10);
  }
  const auto arcs = detail::make_adjacency<T>(g, n, threads);
  std::vector<C> weights;
  for (const T& w : arcs.weights) weights.push_back(detail::cut_weight(w, unreachable));
  return detail::host::bound_distances(arcs.template view_with<C>(weights), unreachable, watch);
}

/// Returns true if `seq` solves in the narrowest type.
template <class T>
bool is_proved(const arc_list<T>& arcs, bool all_weights_fit = false) {
  const auto g = arcs.view();
  const auto weights = detail::find_weight_range<T>(g, arcs.n, 1);
  const detail::monitor watch{apsp::unobserved{}};
  return detail::prove_code(g, weights, all_weights_fit, detail::bounding_for(apsp::backend::seq),
                            1, watch)
      .has_value();
}
template <class T>
bool fits_by_the_largest_weight(const arc_list<T>& arcs) {
  const auto weights = detail::find_weight_range<T>(arcs.view(), arcs.n, 1);
  return detail::choose_code<code_t<T>>(arcs.n, weights).has_value();
}

/// Calls f(policy) for all policies, which share the expected results.
template <class F>
void for_each_policy(F f) {
  boost::mp11::mp_for_each<policies>([&](auto tested) {
    BOOST_TEST_CONTEXT(to_string(tested.expected)) {
      f(tested.policy());
    }
  });
}

template <class T>
std::int64_t longest_distance(const wide_rows<T>& rows) {
  std::int64_t longest = 0;
  for (const auto& row : rows) {
    for (const std::int64_t d : row) {
      if (d != wide_unreachable<T>) longest = std::max(longest, d);
    }
  }
  return longest;
}
template <class T>
bool is_connected(const wide_rows<T>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::find(row.begin(), row.end(), wide_unreachable<T>) == row.end();
  });
}

template <class T>
void check_bound(const arc_list<T>& arcs) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  const std::int64_t longest = longest_distance<T>(*expected);
  const auto csr = in_rows(arcs);
  const auto check = [&](const std::optional<code_t<T>>& bound) {
    if (bound) {
      BOOST_CHECK_GE(*bound, longest);
      BOOST_CHECK_LT(*bound, limit<T>);
    } else {
      // There are at most n components, each with paths of at most three distances.
      BOOST_CHECK_GE(3.0 * static_cast<double>(longest) * static_cast<double>(arcs.n),
                     static_cast<double>(limit<T>));
    }
    // For one component, twice the longest distance is enough.
    if (is_connected<T>(*expected) && longest < limit<T> / 2) BOOST_CHECK(bound.has_value());
  };
  for (const way how : {way::passes, way::arcs}) {
    BOOST_TEST_CONTEXT((how == way::passes ? "passes" : "arcs")) {
      check(bound_of<T>(arcs.view(), arcs.n, how, 1));
      for (const int threads : {1, 3}) check(bound_of<T>(csr.view(), arcs.n, how, threads));
    }
  }
}

template <class T>
void add_ring(arc_list<T>& arcs, std::size_t first, std::size_t end, std::int64_t weight) {
  for (std::size_t v = first; v < end; ++v) {
    arcs.add(v, v + 1 == end ? first : v + 1, static_cast<T>(weight));
  }
}

/// Weights so large that n times their maximum does not fit, although all distances do.
template <class T>
arc_list<T> heavy_graph(std::size_t n, double p, std::uint64_t seed) {
  return random_graph<T>(n, p, 1, limit<T> / 16, seed);
}

/// Solves with every policy.
template <class T>
void check_solve(const arc_list<T>& arcs) {
  const auto expected = oracle_distances(arcs);
  BOOST_REQUIRE(expected.has_value());
  const bool fits = longest_distance<T>(*expected) < std::int64_t{apsp::unreachable<T>};
  wide_rows<T> rows = *expected;
  for (auto& row : rows) {
    for (auto& d : row) d = d < std::int64_t{apsp::unreachable<T>} ? d : wide_unreachable<T>;
  }
  const auto lightest = lightest_arcs(arcs);
  for_each_policy([&](const auto& policy) {
    apsp::matrix<T> distances(arcs.n, arcs.n, T(7));
    const auto done = apsp::floyd_warshall(policy, arcs.view(), distances);
    BOOST_REQUIRE(done);
    BOOST_CHECK_EQUAL(done.saturated(), !fits);
    check_rows<T>(rows, distances);

    apsp::matrix<T> again(arcs.n, arcs.n, T(7));
    apsp::matrix<std::int32_t> predecessors(arcs.n, arcs.n, -5);
    BOOST_REQUIRE(apsp::floyd_warshall(policy, arcs.view(), again, predecessors));
    check_rows<T>(rows, again);
    if (fits) check_trees<T>(lightest, all_vertices(arcs.n), again, predecessors);

    apsp::matrix<T> squared(arcs.n, arcs.n, T(7));
    BOOST_REQUIRE(apsp::repeated_squaring(policy, arcs.view(), squared));
    check_rows<T>(rows, squared);
  });
}

}  // namespace

#ifndef APSP_TEST_ON_DEVICE
BOOST_AUTO_TEST_CASE_TEMPLATE(a_bound_is_no_less_than_any_distance, T, integers) {
  for (const std::size_t n : {0u, 1u, 2u, 5u, 23u, 60u}) {
    for (const double p : {0.01, 0.04, 0.15, 1.0}) {
      for (const int shift : {24, 6, 0}) {
        const std::uint64_t seed = 1000 * n + static_cast<std::uint64_t>(100 * p) + 7;
        BOOST_TEST_CONTEXT("n = " << n << ", p = " << p << ", shift = " << shift
                                  << ", seed = " << seed) {
          // The oracle computes sums in 64 bits.
          const std::int64_t heaviest =
              std::min(limit<T>, std::numeric_limits<std::int64_t>::max() / 400) >> shift;
          auto arcs = random_graph<T>(n, p, 0, heaviest, seed);
          check_bound(arcs);
          // Connects the components in a row, and adds a self-loop.
          for (std::size_t k = 0; k < arcs.size(); ++k) {
            auto& v = arcs.targets[k];
            if (v / 8 < arcs.sources[k] / 8) v = arcs.sources[k] / 8 * 8;
          }
          if (n > 2) arcs.add(n / 2, n / 2, T(heaviest));
          check_bound(arcs);
          // Adds parallel arcs.
          for (std::size_t k = 0, m = arcs.size(); k < m; k += 2) {
            arcs.add(static_cast<std::size_t>(arcs.sources[k]),
                     static_cast<std::size_t>(arcs.targets[k]), T(arcs.weights[k] / 3));
          }
          check_bound(arcs);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_bound_of_known_graphs, T, integers) {
  const std::int64_t unit = limit<T> / 100;
  for (const way how : {way::passes, way::arcs}) {
    BOOST_TEST_CONTEXT((how == way::passes ? "passes" : "arcs")) {
      // The bound adds a path of 9 arcs to one vertex and a path of 9 arcs from it.
      arc_list<T> ring{10, {}, {}, {}};
      add_ring(ring, 0, 10, unit);
      BOOST_CHECK_EQUAL(bound_of<T>(ring.view(), 10, how, 1).value(), 18 * unit);

      // Two rings with two arcs between them. The lighter arc counts, together with the path from
      // its target.
      arc_list<T> rings{20, {}, {}, {}};
      add_ring(rings, 0, 10, unit);
      add_ring(rings, 10, 20, unit);
      rings.add(3, 14, static_cast<T>(limit<T> + 5));
      rings.add(3, 14, static_cast<T>(unit));
      const auto bound = bound_of<T>(rings.view(), 20, how, 1);
      BOOST_REQUIRE(bound.has_value());
      BOOST_CHECK_GE(*bound, 19 * unit);
      BOOST_CHECK_LE(*bound, 40 * unit);

      // Both paths to vertex 2 are too long, the one of one arc and the one of two.
      arc_list<T> chain{3, {}, {}, {}};
      chain.add(0, 1, static_cast<T>(limit<T> / 2));
      chain.add(1, 2, static_cast<T>(limit<T> / 2 + 1));
      BOOST_CHECK(!bound_of<T>(chain.view(), 3, how, 1).has_value());
      chain.weights = {static_cast<T>(limit<T> / 2), static_cast<T>(limit<T> / 2)};
      BOOST_CHECK_EQUAL(bound_of<T>(chain.view(), 3, how, 1).value(), limit<T> / 2 * 2);
      chain.weights = {T{}, static_cast<T>(limit<T>)};
      BOOST_CHECK(!bound_of<T>(chain.view(), 3, how, 1).has_value());
      chain.weights = {T{}, static_cast<T>(limit<T> - 1)};
      BOOST_CHECK_EQUAL(bound_of<T>(chain.view(), 3, how, 1).value(), limit<T> - 1);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_narrow_type_is_proved, T, integers) {
  for (const double p : {0.03, 0.5}) {
    BOOST_TEST_CONTEXT("p = " << p << ", seed = 11") {
      auto arcs = heavy_graph<T>(many, p, 11);
      add_ring(arcs, 0, many, limit<T> / 2000);
      BOOST_CHECK(!fits_by_the_largest_weight(arcs));
      BOOST_CHECK(is_proved(arcs));
      // An arc on no shortest path does not matter, unless it is a distance itself.
      arcs.add(17, 17, static_cast<T>(limit<T> + 1));
      BOOST_CHECK(is_proved(arcs));
      BOOST_CHECK(!is_proved(arcs, true));
      arcs.add(17, 19, static_cast<T>(limit<T>));
      BOOST_CHECK(is_proved(arcs));
      arcs.n += 1;
      arcs.add(17, many, static_cast<T>(limit<T>));
      BOOST_CHECK(!is_proved(arcs));
      arcs.weights.back() = static_cast<T>(limit<T> / 100);
      BOOST_CHECK(is_proved(arcs));
    }
  }
  // Small graphs are not worth the search for a bound.
  auto small = heavy_graph<T>(100, 0.5, 12);
  BOOST_CHECK(!is_proved(small));
  // No bound is computed for negative weights.
  if constexpr (std::is_signed_v<T>) {
    auto arcs = heavy_graph<T>(many, 0.5, 13);
    arcs.weights[0] = -1;
    BOOST_CHECK(!is_proved(arcs));
  }
}
#endif

BOOST_AUTO_TEST_CASE(distances_that_fit) {
  for (const double p : {12.0 / many, more_arcs}) {
    BOOST_TEST_CONTEXT("p = " << p << ", seeds = 21, 22, 23") {
      check_solve(heavy_graph<std::int32_t>(many, p, 21));
      check_solve(heavy_graph<std::uint32_t>(many, p, 22));
      check_solve(heavy_graph<std::int64_t>(many, p, 23));
    }
  }
}

BOOST_AUTO_TEST_CASE(components) {
  using T = std::int32_t;
  // Four random components in a row, and vertices without incoming or outgoing arcs.
  for (const double p : {more_arcs, 5 * more_arcs}) {
    BOOST_TEST_CONTEXT("p = " << p << ", seed = 31") {
      random_numbers random(31);
      arc_list<T> arcs{many, {}, {}, {}};
      const std::size_t size = many / 4 - 1;
      for (std::size_t u = 0; u < 4 * size; ++u) {
        for (std::size_t v = 0; v < 4 * size; ++v) {
          const bool leads = u / size == v / size || (u / size < v / size && random.chance(0.001));
          if (u != v && leads && random.chance(p)) {
            arcs.add(u, v, static_cast<T>(random(1, limit<T> / 100)));
          }
        }
      }
      for (std::size_t c = 0; c < 3; ++c) arcs.add(c * size, (c + 1) * size, T(1000));
      arcs.add(4 * size, 5, T(77));
      arcs.add(9, 4 * size + 1, T(78));
      BOOST_CHECK(!fits_by_the_largest_weight(arcs));
      BOOST_CHECK(is_proved(arcs));
      check_solve(arcs);
    }
  }
}

BOOST_AUTO_TEST_CASE(arcs_heavier_than_any_distance) {
  using T = std::int32_t;
  for (const double p : {12.0 / many, more_arcs}) {
    BOOST_TEST_CONTEXT("p = " << p << ", seed = 41") {
      auto arcs = random_graph<T>(many, p, 1, 1000, 41);
      add_ring(arcs, 0, many, 900);
      constexpr T most = std::numeric_limits<T>::max() - 1;
      for (std::size_t v = 0; v + 9 < many; v += 7) arcs.add(v, v + 9, most);
      arcs.add(3, 4, T{1} << 30);
      arcs.add(4, 4, most);
      arcs.add(5, 3, apsp::unreachable<T>);
      BOOST_CHECK(is_proved(arcs));
      arcs.sources.pop_back();
      arcs.targets.pop_back();
      arcs.weights.pop_back();
      check_solve(arcs);
      // The last vertex can only be reached over such an arc.
      ++arcs.n;
      arcs.add(11, many, most);
      arcs.add(12, many, most);
      BOOST_CHECK(!is_proved(arcs));
      check_solve(arcs);
    }
  }
}

BOOST_AUTO_TEST_CASE(distances_that_do_not_fit) {
  using T = std::int32_t;
  arc_list<T> chain{many, {}, {}, {}};
  for (std::size_t v = 1; v < many; ++v) {
    chain.add(v, v - 1, static_cast<T>(2 * (limit<T> / static_cast<std::int64_t>(many)) + 100));
  }
  BOOST_CHECK(!is_proved(chain));
  check_solve(chain);
  for (auto& w : chain.weights) w = 1 << 30;
  check_solve(chain);
  for (auto& w : chain.weights) w /= static_cast<T>(many);
  BOOST_CHECK(fits_by_the_largest_weight(chain));
  check_solve(chain);
}

namespace {

/// The distances from a vertex in a matrix of weights, by Dijkstra's algorithm without a heap. That
/// to itself is the length of the shortest cycle, which may be a loop.
std::vector<std::int64_t> distances_with_loops(
    const std::vector<std::vector<std::int32_t>>& weights, std::size_t source) {
  constexpr auto no_arc = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t far = std::int64_t{1} << 40;
  const std::size_t n = weights.size();
  std::vector<std::int64_t> found(n, far);
  std::vector<char> is_settled(n, 0);
  const auto relax = [&](std::size_t u, std::int64_t length) {
    for (std::size_t v = 0; v < n; ++v) {
      if (weights[u][v] != no_arc) found[v] = std::min(found[v], length + weights[u][v]);
    }
  };
  relax(source, 0);
  is_settled[source] = 1;
  while (true) {
    std::size_t nearest = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (is_settled[v] == 0 && (nearest == n || found[v] < found[nearest])) nearest = v;
    }
    if (nearest == n || found[nearest] == far) return found;
    is_settled[nearest] = 1;
    relax(nearest, found[nearest]);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_diagonal_that_is_given) {
  using T = std::int32_t;
  const std::size_t n = many;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> g(n);
  for (const std::int64_t heaviest_loop : {limit<T> / 8, 2 * limit<T>}) {
    BOOST_TEST_CONTEXT("loops of up to " << heaviest_loop << ", seed = 51") {
      const auto arcs = heavy_graph<T>(n, 0.2, 51);
      random_numbers random(51);
      std::vector<std::vector<T>> given(n, std::vector<T>(n, std::numeric_limits<T>::max()));
      for (std::size_t k = 0; k < arcs.size(); ++k) {
        given[arcs.from(k)][arcs.to(k)] = arcs.weights[k];
      }
      for (std::size_t v = 0; v < n; ++v) {
        given[v][v] = static_cast<T>(random(0, heaviest_loop));
        // No cycle contains the first three vertices.
        if (v < 3) std::fill(given[v].begin() + 3, given[v].end(), std::numeric_limits<T>::max());
      }
      given[1][0] = given[2][0] = given[2][1] = std::numeric_limits<T>::max();
      const auto sources = many > 1000 ? some_vertices(n, is_short ? 20 : 60) : all_vertices(n);
      std::vector<std::vector<std::int64_t>> expected;
      for (const std::size_t u : sources) expected.push_back(distances_with_loops(given, u));
      for_each_policy([&](const auto& policy) {
        auto d = given;
        BOOST_REQUIRE(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy, g, d));
        for (std::size_t i = 0; i < sources.size(); ++i) {
          for (std::size_t v = 0; v < n; ++v) {
            const std::int64_t length = expected[i][v];
            const bool is_far = length >= std::numeric_limits<T>::max();
            BOOST_REQUIRE_EQUAL(d[sources[i]][v], is_far ? std::numeric_limits<T>::max() : length);
          }
        }
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(cut_off_and_few_hops) {
  using T = std::int32_t;
  auto arcs = heavy_graph<T>(many, 0.05, 61);
  // Paths of many arcs that are as long as one arc.
  for (std::size_t v = 0; v + 4 < 100; ++v) {
    arcs.add(v, v + 1, T(10));
    arcs.add(v, v + 4, T(40));
  }
  arcs.add(5, 9, std::numeric_limits<T>::max() - 3);
  BOOST_TEST_CONTEXT("seed = 61") {
    BOOST_CHECK(is_proved(arcs));
    const auto expected = oracle_distances(arcs);
    BOOST_REQUIRE(expected.has_value());
    const T cutoff = 20'000'000;
    const auto near = within<T>(*expected, cutoff);
    for_each_policy([&](const auto& policy) {
      apsp::matrix<T> distances(arcs.n);
      apsp::matrix<std::int32_t> predecessors(arcs.n);
      BOOST_REQUIRE(
          apsp::floyd_warshall(policy.prefer_fewest_edges(), arcs.view(), distances, predecessors));
      check_rows<T>(*expected, distances);
      check_trees<T>(lightest_arcs(arcs), all_vertices(arcs.n), distances, predecessors);
      for (std::size_t v = 0; v + 8 < 100; ++v) {
        if (distances[v][v + 8] == 80) BOOST_CHECK_EQUAL(predecessors[v][v + 8], v + 4);
      }
      BOOST_REQUIRE(apsp::floyd_warshall(policy.cutoff(cutoff), arcs.view(), distances));
      check_rows<T>(near, distances);
    });
  }
}

namespace {

/// A graph that requests a stop when its arcs are read for the n-th time.
struct stopping_graph {
  const arc_list<std::int32_t>& arcs;
  int stop_at;
  std::stop_source& stop;
  int& readings;
};

}  // namespace

template <>
struct apsp::graph_adaptor<stopping_graph> {
  using weight_type = std::int32_t;
  static std::size_t num_vertices(const stopping_graph& g) { return g.arcs.n; }
  template <class F>
  static void for_each_edge(const stopping_graph& g, F f) {
    if (++g.readings == g.stop_at) g.stop.request_stop();
    for (std::size_t k = 0; k < g.arcs.size(); ++k) {
      f(g.arcs.sources[k], g.arcs.targets[k], g.arcs.weights[k]);
    }
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_on_the_way, Policy, policies) {
  for (const double p : {12.0 / many, more_arcs}) {
    auto arcs = heavy_graph<std::int32_t>(many, p, 71);
    add_ring(arcs, 0, many, 1000);
    for (int stop_at = 1; stop_at <= 2; ++stop_at) {
      BOOST_TEST_CONTEXT("p = " << p << ", reading " << stop_at << ", seed = 71") {
        std::stop_source stop;
        int readings = 0;
        const stopping_graph g{arcs, stop_at, stop, readings};
        apsp::matrix<std::int32_t> distances(many, many, 42);
        const auto done =
            apsp::floyd_warshall(Policy::policy().stop(stop.get_token()), g, distances);
        BOOST_CHECK(done.stopped());
        // The arcs are read to count them, and then to store them, unless they are listed.
        BOOST_CHECK_LE(readings, stop_at + 1);
        BOOST_CHECK_EQUAL(distances[0][1], 42);
      }
    }
  }
}
