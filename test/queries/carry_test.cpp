// SPDX-License-Identifier: BSL-1.0
// Distances with an attribute that is added up along the shortest paths, compared to Floyd-Warshall
// over pairs: types x policies x calls, with and without a hierarchy. All numbers are whole
// multiples of a unit that floating-point types represent, so results are equal in every bit.
#define BOOST_TEST_MODULE carry
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/boost_graph.hpp>
#include <apsp/carry.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/distance_table.hpp>
#include <apsp/distances_of_pairs.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/elimination.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/nearest_sources.hpp>
#include <apsp/path.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

/// Lengths and attributes in units.
struct pair_of_sums {
  std::int64_t length = 0;
  std::int64_t attribute = 0;
  auto operator<=>(const pair_of_sums&) const = default;
};
using sums_of_all = std::vector<std::vector<std::optional<pair_of_sums>>>;

/// The arcs of a graph with attributes.
struct roads {
  std::size_t n = 0;
  std::vector<int> from;
  std::vector<int> to;
  std::vector<pair_of_sums> sums;

  void add(std::size_t u, std::size_t v, std::int64_t length, std::int64_t attribute) {
    from.push_back(static_cast<int>(u));
    to.push_back(static_cast<int>(v));
    sums.push_back({length, attribute});
  }
};

/// A random graph without negative cycles in which ties, parallel arcs, self-loops and arcs of
/// length 0 are common, and some vertices are unreachable.
/// @param negative  lengths may be negative; cycles of length 0 and attribute 0 are common.
roads random_roads(std::size_t n, double p, bool negative, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<pair_of_sums> potential(n);
  if (negative) {
    for (auto& x : potential) x = {random(-9, 9), random(-9, 9)};
  }
  roads g{n, {}, {}, {}};
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      for (int k = 0; k < 2; ++k) {
        if (!random.chance(p)) continue;
        const std::int64_t length = random(0, 3);
        const std::int64_t attribute = random(length == 0 ? 0 : -4, 6);
        g.add(u, v, length + potential[u].length - potential[v].length,
              attribute + potential[u].attribute - potential[v].attribute);
      }
    }
  }
  return g;
}

/// The least sums of all paths, by Floyd-Warshall.
sums_of_all least_sums(const roads& g) {
  sums_of_all d(g.n, std::vector<std::optional<pair_of_sums>>(g.n));
  const auto improve = [](std::optional<pair_of_sums>& entry, const pair_of_sums& x) {
    if (!entry || x < *entry) entry = x;
  };
  for (std::size_t v = 0; v < g.n; ++v) d[v][v] = pair_of_sums{};
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    improve(d[static_cast<std::size_t>(g.from[k])][static_cast<std::size_t>(g.to[k])], g.sums[k]);
  }
  for (std::size_t k = 0; k < g.n; ++k) {
    for (auto& row : d) {
      if (!row[k]) continue;
      const pair_of_sums x = *row[k];
      for (std::size_t v = 0; v < g.n; ++v) {
        if (!d[k][v]) continue;
        improve(row[v], {x.length + d[k][v]->length, x.attribute + d[k][v]->attribute});
      }
    }
  }
  return d;
}

template <class X>
X in_units(std::int64_t units) {
  const X x = static_cast<X>(units);
  if constexpr (std::is_floating_point_v<X>) return x / 4;
  return x;
}
template <class T>
T as_weight(const std::optional<pair_of_sums>& x) {
  if (!x) return apsp::unreachable<T>;
  return {in_units<decltype(T::distance)>(x->length),
          in_units<decltype(T::attribute)>(x->attribute)};
}

/// The arrays of a graph whose distances are of type T.
template <class T>
struct arrays_of {
  using distance = decltype(T::distance);
  using attribute = decltype(T::attribute);

  explicit arrays_of(const roads& g) : roads_of(&g) {
    for (const pair_of_sums& x : g.sums) {
      lengths.push_back(in_units<distance>(x.length));
      attributes.push_back(in_units<attribute>(x.attribute));
    }
  }
  auto view() const {
    return apsp::edge_list_view(roads_of->n, roads_of->from, roads_of->to, lengths);
  }
  /// Its attribute is a function of the position of an arc.
  auto carrying() const {
    return apsp::carry(view(), [this](const apsp::edge& e) { return attributes[e.index]; });
  }

  const roads* roads_of;
  std::vector<distance> lengths;
  std::vector<attribute> attributes;
};

template <class T>
std::string text_of(const T& x) {
  return "(" + std::to_string(x.distance) + ", " + std::to_string(x.attribute) + ")";
}

/// Checks an entry, the distance from u to v.
template <class T>
bool is_right(const sums_of_all& expected, std::size_t u, std::size_t v, const T& x) {
  const T wanted = as_weight<T>(expected[u][v]);
  if (x == wanted) return true;
  BOOST_ERROR("from " << u << " to " << v << " is " << text_of(x) << ", not " << text_of(wanted));
  return false;
}
template <class T>
void check_matrix(const sums_of_all& expected, const apsp::matrix<T>& distances) {
  for (std::size_t u = 0; u < expected.size(); ++u) {
    for (std::size_t v = 0; v < expected.size(); ++v) {
      if (!is_right(expected, u, v, distances[u][v])) return;
    }
  }
}

/// Checks that the path to each vertex has the sums of its distance.
template <class T, class Matrix>
void check_paths(const roads& g, const sums_of_all& expected, const apsp::matrix<T>& distances,
                 const Matrix& predecessors) {
  check_matrix(expected, distances);
  std::map<std::pair<std::size_t, std::size_t>, pair_of_sums> least;
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    const std::pair arc{static_cast<std::size_t>(g.from[k]), static_cast<std::size_t>(g.to[k])};
    const auto [entry, is_new] = least.emplace(arc, g.sums[k]);
    if (!is_new) entry->second = std::min(entry->second, g.sums[k]);
  }
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    const auto path = apsp::path(predecessors, u, v);
    BOOST_REQUIRE_EQUAL(path.empty(), !expected[u][v].has_value());
    if (path.empty()) return;
    pair_of_sums sums;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const auto arc = least.find({path[i], path[i + 1]});
      BOOST_REQUIRE(arc != least.end());
      sums.length += arc->second.length;
      sums.attribute += arc->second.attribute;
    }
    BOOST_REQUIRE(sums == *expected[u][v]);
  });
}

/// Calls f(name, call) for each algorithm for all pairs; `call(policy, graph, distances...)`.
template <class F>
void for_each_algorithm(bool negative, F f) {
  f("floyd_warshall", [](auto&&... x) { return apsp::floyd_warshall(x...); });
  f("bellman_ford", [](auto&&... x) { return apsp::bellman_ford(x...); });
  f("johnson", [](auto&&... x) { return apsp::johnson(x...); });
  f("elimination", [](auto&&... x) { return apsp::elimination(x...); });
  f("all_pairs", [](auto&&... x) { return apsp::all_pairs_shortest_paths(x...); });
  if (!negative) f("dijkstra", [](auto&&... x) { return apsp::dijkstra(x...); });
}

/// Checks all calls with a graph, or a hierarchy of it.
template <class T, class Policy, class Graph>
void check_calls(const Policy& policy, const Graph& graph, const roads& g, bool negative,
                 const sums_of_all& expected, std::uint64_t seed) {
  for_each_algorithm(negative, [&](const char* name, const auto& call) {
    BOOST_TEST_CONTEXT(name) {
      apsp::matrix<T> distances(g.n, g.n, T{42, 42});
      const auto done = call(policy, graph, distances);
      BOOST_REQUIRE(done);
      BOOST_CHECK(!done.saturated());
      check_matrix(expected, distances);
    }
  });
  random_numbers random(seed);
  std::vector<std::size_t> sources, targets;
  for (std::size_t k = 0; k < std::min<std::size_t>(2 * g.n, 30); ++k) {
    sources.push_back(random.index(g.n));
    targets.push_back(random.index(g.n));
  }
  if (!targets.empty()) targets.pop_back();
  BOOST_TEST_CONTEXT("distance_table") {
    apsp::matrix<T> table(sources.size(), targets.size(), T{42, 42});
    BOOST_REQUIRE(apsp::distance_table(policy, graph, sources, targets, table));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        BOOST_REQUIRE(is_right(expected, sources[i], targets[j], table[i][j]));
      }
    }
  }
  BOOST_TEST_CONTEXT("distances_of_pairs") {
    for (const std::size_t count : {targets.size(), targets.size() / 8}) {
      std::vector<T> of_pairs(count, T{42, 42});
      BOOST_REQUIRE(apsp::distances_of_pairs(policy, graph, std::span(sources).first(count),
                                             std::span(targets).first(count), of_pairs));
      for (std::size_t k = 0; k < count; ++k) {
        BOOST_REQUIRE(is_right(expected, sources[k], targets[k], of_pairs[k]));
      }
    }
  }
  BOOST_TEST_CONTEXT("for_each_row") {
    std::size_t num_rows = 0;
    BOOST_REQUIRE(
        apsp::for_each_row(policy, graph, sources, [&](std::size_t u, std::span<const T> row) {
          ++num_rows;
          for (std::size_t v = 0; v < g.n; ++v) {
            BOOST_REQUIRE(is_right(expected, u, v, row[v]));
          }
        }));
    BOOST_CHECK_EQUAL(num_rows, sources.size());
  }
}

template <class T>
std::vector<std::size_t> all_of(const T& graph) {
  std::vector<std::size_t> all(apsp::num_vertices_of(graph));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Checks a table of all vertices.
template <class T, class Graph>
void check_table(const Graph& graph, const sums_of_all& expected) {
  apsp::matrix<T> table(expected.size(), expected.size(), T{42, 42});
  BOOST_REQUIRE(apsp::distance_table(apsp::seq, graph, all_of(graph), all_of(graph), table));
  check_matrix(expected, table);
  apsp::matrix<T> by_hierarchy(expected.size(), expected.size(), T{42, 42});
  const apsp::contraction_hierarchy prepared(apsp::seq, graph);
  BOOST_REQUIRE(
      apsp::distance_table(apsp::seq, prepared, all_of(graph), all_of(graph), by_hierarchy));
  check_matrix(expected, by_hierarchy);
}

sums_of_all transpose(const sums_of_all& d) {
  auto t = d;
  for_each_pair(d.size(), [&](std::size_t u, std::size_t v) { t[u][v] = d[v][u]; });
  return t;
}

using whole = apsp::carried<std::int64_t, std::int64_t>;
using mixed = apsp::carried<std::int64_t, double>;
using carried_types =
    std::tuple<mixed, whole, apsp::carried<double, double>, apsp::carried<float, float>>;
using policies_and_types = with_policies<with, carried_types>;

/// The distance from 0 to 1 of the graph of one arc with this length and attribute.
template <class W, class A>
auto distance_along(const W& length, const A& attribute) {
  const std::array<int, 1> from{0}, to{1};
  const std::array<W, 1> lengths{length};
  const apsp::edge_list_view g(2, from, to, lengths);
  const auto carrying = apsp::carry(g, [&](const apsp::edge&) { return attribute; });
  using T = typename apsp::graph_adaptor<std::remove_const_t<decltype(carrying)>>::weight_type;
  apsp::matrix<T> d(2);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, carrying, d));
  return d[0][1];
}

/// Checks that all calls throw with a message that contains the words, and write nothing.
template <class T, class Graph>
void check_refused_by_all(const Graph& graph, const std::string& words) {
  const std::size_t n = apsp::num_vertices_of(graph);
  const auto all = all_of(graph);
  const apsp::matrix<T> before(n, n, T{42, 42});
  apsp::matrix<T> d = before;
  std::vector<T> row(n, T{42, 42});
  const auto is_untouched = [&] {
    bool same = true;
    for_each_pair(n, [&](std::size_t u, std::size_t v) { same = same && d[u][v] == T{42, 42}; });
    return same && row == std::vector<T>(n, T{42, 42});
  };
  for_each_algorithm(false, [&](const char* name, const auto& call) {
    BOOST_TEST_CONTEXT(name) {
      check_refused([&] { return call(apsp::seq, graph, d); }, words);
      check_refused([&] { return call(apsp::omp.threads(3), graph, d); }, words);
    }
  });
  check_refused([&] { return apsp::distance_table(apsp::seq, graph, all, all, d); }, words);
  check_refused([&] { return apsp::distances_of_pairs(apsp::seq, graph, all, all, row); }, words);
  check_refused(
      [&] {
        return apsp::for_each_row(apsp::seq, graph, all, [](std::size_t, std::span<const T>) {
          BOOST_ERROR("a row was passed");
        });
      },
      words);
  check_refused([&] { return apsp::contraction_hierarchy(apsp::seq, graph).num_vertices(); },
                words);
  BOOST_CHECK(is_untouched());
}

/// The same of one call, for graphs of many types.
template <class T, class Graph>
void check_refused_by_table(const Graph& graph, const std::string& words) {
  const auto all = all_of(graph);
  apsp::matrix<T> d(all.size(), all.size(), T{42, 42});
  check_refused([&] { return apsp::distance_table(apsp::seq, graph, all, all, d); }, words);
  for (const T& x : std::span(d.data(), all.size() * all.size())) BOOST_CHECK((x == T{42, 42}));
}

/// Three arcs, of which the second one, from 1 to 2, has this length and attribute.
template <class W, class A>
struct three_arcs {
  std::array<int, 3> from{0, 1, 2};
  std::array<int, 3> to{1, 2, 0};
  std::array<W, 3> lengths;
  std::array<A, 3> attributes;

  three_arcs(W length, A attribute)
      : lengths{W{1}, length, W{1}}, attributes{A{1}, attribute, A{1}} {}
  auto carrying() const {
    return apsp::carry(apsp::edge_list_view(3, from, to, lengths),
                       [this](const apsp::edge& e) { return attributes[e.index]; });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs, With, policies_and_types) {
  using T = typename With::weight;
  const std::pair<std::size_t, double> shapes[] = {{0, 0},    {1, 0},     {1, 1},     {2, 0.5},
                                                   {7, 0.15}, {23, 0.03}, {40, 0.02}, {50, 0.1}};
  std::uint64_t seed = 100;
  for (const auto& [n, p] : shapes) {
    for (const bool negative : {false, true}) {
      for (int round = 0; round < (n < 40 ? 2 : 1); ++round) {
        ++seed;
        BOOST_TEST_CONTEXT(n << " vertices, negative " << negative << ", seed " << seed) {
          const roads g = random_roads(n, p, negative, seed);
          const sums_of_all expected = least_sums(g);
          const arrays_of<T> arrays(g);
          check_calls<T>(With::policy(), arrays.carrying(), g, negative, expected, seed);
          const apsp::contraction_hierarchy prepared(With::policy(), arrays.carrying());
          static_assert(std::is_same_v<decltype(prepared), const apsp::contraction_hierarchy<T>>);
          BOOST_REQUIRE(prepared);
          BOOST_TEST_CONTEXT("hierarchy") {
            check_calls<T>(With::policy(), prepared, g, negative, expected, seed);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(paths_have_the_sums, Policy, policies) {
  using T = mixed;
  for (const bool negative : {false, true}) {
    BOOST_TEST_CONTEXT("negative " << negative) {
      const roads g = random_roads(30, 0.06, negative, 201);
      const arrays_of<T> arrays(g);
      for_each_algorithm(negative, [&](const char* name, const auto& call) {
        BOOST_TEST_CONTEXT(name) {
          apsp::matrix<T> distances(g.n);
          apsp::matrix<int> predecessors(g.n);
          BOOST_REQUIRE(call(Policy::policy(), arrays.carrying(), distances, predecessors));
          check_paths(g, least_sums(g), distances, predecessors);
        }
      });
    }
  }
}

// A larger graph, for which calls with many pairs prepare a hierarchy.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_road_network, Policy, policies) {
  constexpr std::size_t side = 12;
  random_numbers random(301);
  roads g{side * side, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) {
    const auto add_road = [&](std::size_t u) {
      g.add(u, v, random(1, 3), random(1, 9));
      g.add(v, u, random(1, 3), random(1, 9));
    };
    if (v % side > 0) add_road(v - 1);
    if (v >= side) add_road(v - side);
  }
  const sums_of_all expected = least_sums(g);
  const arrays_of<mixed> arrays(g);
  std::vector<std::size_t> from, to;
  for (int k = 0; k < 3000; ++k) {
    from.push_back(random.index(g.n));
    to.push_back(random.index(g.n));
  }
  const apsp::contraction_hierarchy prepared(Policy::policy(), arrays.carrying());
  const auto check = [&](const auto& graph) {
    std::vector<mixed> distances(from.size());
    BOOST_REQUIRE(apsp::distances_of_pairs(Policy::policy(), graph, from, to, distances));
    for (std::size_t k = 0; k < from.size(); ++k) {
      BOOST_REQUIRE(is_right(expected, from[k], to[k], distances[k]));
    }
  };
  check(arrays.carrying());
  check(prepared);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nearest_by_length_and_attribute, Policy, policies) {
  const roads g = random_roads(50, 0.04, false, 401);
  const arrays_of<mixed> arrays(g);
  const sums_of_all expected = least_sums(g);
  const std::vector<std::size_t> sources{3, 17, 30};
  std::vector<mixed> distances(g.n);
  std::vector<int> nearest(g.n);
  BOOST_REQUIRE(
      apsp::nearest_sources(Policy::policy(), arrays.carrying(), sources, distances, nearest));
  for (std::size_t v = 0; v < g.n; ++v) {
    std::optional<pair_of_sums> least;
    for (const std::size_t s : sources) {
      if (expected[s][v] && (!least || *expected[s][v] < *least)) least = expected[s][v];
    }
    BOOST_CHECK(distances[v] == as_weight<mixed>(least));
    BOOST_CHECK_EQUAL(nearest[v] >= 0, least.has_value());
    if (least) BOOST_CHECK(expected[static_cast<std::size_t>(nearest[v])][v] == least);
  }
}

BOOST_AUTO_TEST_CASE(sums_and_limits) {
  using float_pair = apsp::carried<double, double>;
  static_assert(apsp::unreachable<mixed>.distance == (std::numeric_limits<std::int64_t>::max)());
  static_assert(apsp::unreachable<mixed>.attribute == 0);
  static_assert(apsp::unreachable<float_pair>.distance == std::numeric_limits<double>::infinity());
  static_assert(std::numeric_limits<float_pair>::lowest().distance ==
                -std::numeric_limits<double>::infinity());
  static_assert(mixed{1, 9} < mixed{2, 0} && mixed{1, 0} < mixed{1, 9});
  static_assert(!(mixed{1, 9} < mixed{1, 9}) && mixed{1, 9} < apsp::unreachable<mixed>);
  static_assert(mixed{1, 2} + mixed{3, 4} == mixed{4, 6});
  static_assert(mixed{1, 2} - mixed{3, 5} == mixed{-2, -3});
  static_assert(mixed{1, 2} + apsp::unreachable<mixed> == apsp::unreachable<mixed>);
  static_assert(apsp::unreachable<float_pair> + float_pair{-1, -1} ==
                apsp::unreachable<float_pair>);
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  constexpr std::int64_t least = (std::numeric_limits<std::int64_t>::min)();
  static_assert(whole{most - 1, 5} + whole{1, 5} == apsp::unreachable<whole>);
  static_assert(whole{most - 1, 5} + whole{2, 5} == apsp::unreachable<whole>);
  static_assert(whole{1, most} + whole{1, 1} == whole{2, most});
  static_assert(whole{1, least} + whole{1, -1} == whole{2, least});
  static_assert(whole{least, 0} + whole{-1, 0} == whole{least, 0});
  static_assert(whole{0, 0} - whole{least, least} == apsp::unreachable<whole>);
  static_assert(whole{0, 0} - whole{1, least} == whole{-1, most});
  BOOST_CHECK(mixed{} == (mixed{0, 0}));
}

// Of paths of equal length the one with the least attribute counts, whatever its arcs.
BOOST_AUTO_TEST_CASE_TEMPLATE(ties, With, policies_and_types) {
  using T = typename With::weight;
  roads g{6, {}, {}, {}};
  g.add(0, 1, 4, 9);  // Parallel arcs: the shorter one, and of these the one with less.
  g.add(0, 1, 3, 50);
  g.add(0, 1, 3, 40);
  g.add(0, 2, 1, 10);  // Over 2 the way is as long, and has less.
  g.add(2, 1, 2, 12);
  g.add(1, 3, 0, 7);  // Arcs of length 0.
  g.add(2, 3, 2, 18);
  g.add(3, 3, 1, -100);  // A self-loop is longer than no arc.
  g.add(3, 3, 0, 0);
  g.add(4, 0, 1, 1);  // Nothing leads to 4 or from 5.
  const arrays_of<T> arrays(g);
  const auto expected = least_sums(g);
  BOOST_REQUIRE(expected[0][1] == (pair_of_sums{3, 22}));
  BOOST_REQUIRE(expected[0][3] == (pair_of_sums{3, 28}));
  check_calls<T>(With::policy(), arrays.carrying(), g, false, expected, 501);
  apsp::matrix<T> d(g.n);
  BOOST_REQUIRE(apsp::dijkstra(With::policy(), arrays.carrying(), d));
  BOOST_CHECK(d[0][5].distance == apsp::unreachable<decltype(T::distance)>);
  BOOST_CHECK(d[0][5].attribute == 0);
  BOOST_CHECK(d[0][4] == apsp::unreachable<T>);
  BOOST_CHECK((d[3][3] == T{0, 0}));
}

BOOST_AUTO_TEST_CASE(types_of_weights_and_attributes) {
  const auto check = [](const auto& x, const auto& wanted) {
    static_assert(std::is_same_v<decltype(x), decltype(wanted)>);
    BOOST_CHECK_MESSAGE(x == wanted, text_of(x) << " is not " << text_of(wanted));
  };
  check(distance_along(3, 4), whole{3, 4});
  check(distance_along(std::int16_t{-3}, std::int8_t{-4}), whole{-3, -4});
  check(distance_along(3u, 4u), whole{3, 4});
  check(distance_along(true, true), whole{1, 1});
  check(distance_along(false, false), whole{0, 0});
  check(distance_along(std::uint64_t{1} << 62, std::uint64_t{1} << 63 >> 1),
        whole{std::int64_t{1} << 62, std::int64_t{1} << 62});
  check(distance_along(3, 0.5F), apsp::carried<std::int64_t, float>{3, 0.5F});
  check(distance_along(0.5F, 3), apsp::carried<float, std::int64_t>{0.5F, 3});
  check(distance_along(0.5F, 0.1), apsp::carried<float, double>{0.5F, 0.1});
  check(distance_along(0.5L, 0.1L), apsp::carried<long double, long double>{0.5L, 0.1L});
  // The largest value of a type of weights means that there is no arc, but attributes have any.
  constexpr int most = (std::numeric_limits<int>::max)();
  check(distance_along(most, 4), apsp::unreachable<whole>);
  check(distance_along((std::numeric_limits<std::int16_t>::max)(), 4), apsp::unreachable<whole>);
  check(distance_along((std::numeric_limits<unsigned>::max)(), 4), apsp::unreachable<whole>);
  check(distance_along((std::numeric_limits<std::uint64_t>::max)(), 4), apsp::unreachable<whole>);
  check(distance_along(std::numeric_limits<float>::infinity(), 4),
        apsp::unreachable<apsp::carried<float, std::int64_t>>);
  check(distance_along(3, most), whole{3, most});
  check(distance_along(3, (std::numeric_limits<std::int64_t>::max)()),
        whole{3, (std::numeric_limits<std::int64_t>::max)()});
  check(distance_along(3, (std::numeric_limits<std::int64_t>::min)()),
        whole{3, (std::numeric_limits<std::int64_t>::min)()});
  check(distance_along(3, (std::numeric_limits<double>::max)()),
        mixed{3, (std::numeric_limits<double>::max)()});
  check(distance_along(3, std::numeric_limits<double>::denorm_min()),
        mixed{3, std::numeric_limits<double>::denorm_min()});
}

BOOST_AUTO_TEST_CASE(weights_that_are_refused) {
  check_refused_by_table<whole>(three_arcs(std::uint64_t{1} << 63, 1).carrying(),
                                "arc 1 -> 2 has a weight out of the range");
  const auto check = [](double w, const std::string& words) {
    check_refused_by_all<apsp::carried<double, double>>(three_arcs(w, 1.0).carrying(), words);
  };
  check(std::numeric_limits<double>::quiet_NaN(), "arc 1 -> 2 has a weight of NaN");
  check(-std::numeric_limits<double>::infinity(), "arc 1 -> 2 has a weight of minus infinity");
}

BOOST_AUTO_TEST_CASE(attributes_that_are_refused) {
  const std::string words = "expected a finite attribute of arc 1 -> 2";
  for (const double x :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    check_refused_by_all<mixed>(three_arcs(std::int64_t{1}, x).carrying(), words);
    const three_arcs narrow(1, static_cast<float>(x));
    check_refused_by_table<apsp::carried<std::int64_t, float>>(narrow.carrying(), words);
    const three_arcs wide(1, static_cast<long double>(x));
    check_refused_by_table<apsp::carried<std::int64_t, long double>>(wide.carrying(), words);
  }
  for (const std::uint64_t x :
       {std::uint64_t{1} << 63, (std::numeric_limits<std::uint64_t>::max)()}) {
    check_refused_by_table<whole>(three_arcs(1, x).carrying(), words);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_unreachable_weight_is_no_arc, Policy, policies) {
  roads g = random_roads(20, 0.06, false, 601);
  const auto expected = least_sums(g);
  const auto arrays = [&] {
    g.add(0, 1, 0, 0);
    g.add(3, 2, 0, 0);
    arrays_of<mixed> a(g);
    a.lengths.end()[-1] = a.lengths.end()[-2] = apsp::unreachable<std::int64_t>;
    a.attributes.end()[-1] = -1e9;
    a.attributes.end()[-2] = 1e9;
    return a;
  }();
  check_calls<mixed>(Policy::policy(), arrays.carrying(), g, false, expected, 602);
}

// Integers are the nearest value: distances that do not fit are unreachable.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_that_do_not_fit, Policy, policies) {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  constexpr std::int64_t least = (std::numeric_limits<std::int64_t>::min)();
  constexpr std::int64_t half = most / 2 + 1;
  const std::vector<int> from{0, 1, 3, 4, 6, 7}, to{1, 2, 4, 5, 7, 8};
  const std::vector<std::int64_t> lengths{half, half, 1, 1, 1, 1};
  const std::vector<std::int64_t> attributes{5, 5, half, half, -half, -half - 1};
  const apsp::edge_list_view g(9, from, to, lengths);
  const auto carrying = apsp::carry(g, [&](const apsp::edge& e) { return attributes[e.index]; });
  const apsp::contraction_hierarchy prepared(Policy::policy(), carrying);
  const auto check = [&](const auto& graph) {
    for_each_algorithm(false, [&](const char* name, const auto& call) {
      BOOST_TEST_CONTEXT(name) {
        apsp::matrix<whole> d(9);
        BOOST_REQUIRE(call(Policy::policy(), graph, d));
        BOOST_CHECK((d[0][1] == whole{half, 5}));
        BOOST_CHECK(d[0][2] == apsp::unreachable<whole>);
        BOOST_CHECK((d[1][2] == whole{half, 5}));
        BOOST_CHECK((d[3][5] == whole{2, most}));
        BOOST_CHECK((d[6][8] == whole{2, least}));
      }
    });
    const std::vector<int> sources{0, 3, 6}, targets{2, 5, 8};
    std::vector<whole> pairs(3);
    BOOST_REQUIRE(apsp::distances_of_pairs(Policy::policy(), graph, sources, targets, pairs));
    BOOST_CHECK((pairs == std::vector<whole>{apsp::unreachable<whole>, {2, most}, {2, least}}));
    apsp::matrix<whole> table(3, 3);
    BOOST_REQUIRE(apsp::distance_table(Policy::policy(), graph, sources, targets, table));
    BOOST_CHECK(table[0][0] == apsp::unreachable<whole>);
    BOOST_CHECK((table[1][1] == whole{2, most}));
    BOOST_CHECK((table[2][2] == whole{2, least}));
  };
  check(carrying);
  check(prepared);
}

// The sum of the cycle is less than that of no arc.
BOOST_AUTO_TEST_CASE_TEMPLATE(cycles_of_length_0_with_a_negative_attribute, With,
                              policies_and_types) {
  using T = typename With::weight;
  const auto policy = With::policy();
  for (const bool is_loop : {false, true}) {
    roads g{5, {}, {}, {}};
    g.add(0, 1, 2, 3);
    if (is_loop) {
      g.add(1, 1, 0, -1);
    } else {
      g.add(1, 2, 3, 5);
      g.add(2, 3, -3, 1);
      g.add(3, 1, 0, -7);
    }
    g.add(3, 4, 1, 1);
    const arrays_of<T> arrays(g);
    const std::vector<std::size_t> sources{0, 2}, targets{4, 0};
    const auto check_cycle = [&](const apsp::result& done) {
      BOOST_CHECK(!done);
      const auto& cycle = done.negative_cycle();
      BOOST_REQUIRE(cycle.size() >= 2 && cycle.front() == cycle.back());
      pair_of_sums sums;
      for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
        const std::size_t u = cycle[i], v = cycle[i + 1];
        bool found = false;
        for (std::size_t k = 0; k < g.sums.size(); ++k) {
          if (static_cast<std::size_t>(g.from[k]) != u || static_cast<std::size_t>(g.to[k]) != v) {
            continue;
          }
          found = true;
          sums.length += g.sums[k].length;
          sums.attribute += g.sums[k].attribute;
        }
        BOOST_REQUIRE(found);
      }
      BOOST_CHECK(sums < pair_of_sums{});
    };
    BOOST_TEST_CONTEXT("loop " << is_loop) {
      const auto graph = arrays.carrying();
      apsp::matrix<T> d(g.n);
      for_each_algorithm(true, [&](const char* name, const auto& call) {
        BOOST_TEST_CONTEXT(name) check_cycle(call(policy, graph, d));
      });
      const apsp::contraction_hierarchy prepared(policy, graph);
      BOOST_CHECK(!prepared);
      const T untouched{42, 42};
      apsp::matrix<T> table(2, 2, untouched);
      check_cycle(apsp::distance_table(policy, graph, sources, targets, table));
      check_cycle(apsp::distance_table(policy, prepared, sources, targets, table));
      std::vector<T> pairs(2, untouched);
      check_cycle(apsp::distances_of_pairs(policy, graph, sources, targets, pairs));
      check_cycle(apsp::distances_of_pairs(policy, prepared, sources, targets, pairs));
      BOOST_CHECK(pairs == std::vector<T>(2, untouched));
      check_cycle(
          apsp::for_each_row(policy, graph, sources, [](std::size_t, std::span<const T>) {}));
      // Dijkstra's algorithm refuses the arc itself.
      check_refused([&] { return apsp::dijkstra(policy, graph, d); }, "negative");
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cutoff_is_refused, Policy, policies) {
  const roads g = random_roads(10, 0.3, false, 701);
  const arrays_of<mixed> arrays(g);
  const auto policy = Policy::policy().cutoff(3);
  const std::string words = "a cutoff needs distances of a built-in type";
  apsp::matrix<mixed> d(g.n, g.n, mixed{42, 42});
  std::vector<mixed> row(g.n, mixed{42, 42});
  const auto all = all_of(arrays.view());
  const apsp::contraction_hierarchy prepared(Policy::policy(), arrays.carrying());
  const auto check = [&](const auto& graph) {
    for_each_algorithm(false, [&](const char* name, const auto& call) {
      BOOST_TEST_CONTEXT(name) check_refused([&] { return call(policy, graph, d); }, words);
    });
    check_refused([&] { return apsp::distance_table(policy, graph, all, all, d); }, words);
    check_refused([&] { return apsp::distances_of_pairs(policy, graph, all, all, row); }, words);
    check_refused(
        [&] {
          return apsp::for_each_row(policy, graph, all, [](std::size_t, std::span<const mixed>) {
            BOOST_ERROR("a row was passed");
          });
        },
        words);
  };
  check(arrays.carrying());
  check(prepared);
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE((d[u][v] == mixed{42, 42}));
  });
  BOOST_CHECK(row == std::vector<mixed>(g.n, mixed{42, 42}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped, Policy, policies) {
  const roads g = random_roads(40, 0.1, false, 801);
  const arrays_of<mixed> arrays(g);
  const auto all = all_of(arrays.view());
  apsp::matrix<mixed> d(g.n);
  std::vector<mixed> row(g.n);
  const apsp::contraction_hierarchy prepared(Policy::policy(), arrays.carrying());
  const auto check = [&](const auto& graph) {
    for_each_algorithm(false, [&](const char* name, const auto& call) {
      BOOST_TEST_CONTEXT(name) {
        check_stopped_before(Policy::policy(),
                             [&](const auto& policy) { return call(policy, graph, d); });
      }
    });
    check_stopped_before(Policy::policy(), [&](const auto& policy) {
      return apsp::distance_table(policy, graph, all, all, d);
    });
    check_stopped_before(Policy::policy(), [&](const auto& policy) {
      return apsp::distances_of_pairs(policy, graph, all, all, row);
    });
    check_stopped_before(Policy::policy(), [&](const auto& policy) {
      return apsp::for_each_row(policy, graph, all, [](std::size_t, std::span<const mixed>) {});
    });
  };
  check(arrays.carrying());
  check(prepared);
}

BOOST_AUTO_TEST_CASE(kinds_of_graphs) {
  const roads g = random_roads(25, 0.06, true, 901);
  const sums_of_all expected = least_sums(g);
  const arrays_of<mixed> arrays(g);
  const auto attribute = [&](const apsp::edge& e) { return arrays.attributes[e.index]; };
  check_table<mixed>(apsp::carry(arrays.view(), attribute), expected);
  const auto view = arrays.view();
  const auto by_reference = apsp::carry(view, attribute);
  check_table<mixed>(by_reference, expected);

  // Arcs of these graphs are in the order of their sources.
  arc_list<std::int64_t> by_number{g.n, {}, {}, {}};
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    by_number.add(static_cast<std::size_t>(g.from[k]), static_cast<std::size_t>(g.to[k]),
                  static_cast<std::int64_t>(k));
  }
  const auto numbers = in_rows(by_number);
  std::vector<std::int64_t> lengths;
  std::vector<double> attributes;
  std::vector<apsp::csr_graph<std::int64_t>::arc> arcs;
  for (const std::int64_t number : numbers.weights) {
    const auto k = static_cast<std::size_t>(number);
    lengths.push_back(arrays.lengths[k]);
    attributes.push_back(arrays.attributes[k]);
    arcs.push_back({g.from[k], g.to[k], arrays.lengths[k]});
  }
  const auto in_order = [&](const apsp::edge& e) { return attributes[e.index]; };
  check_table<mixed>(
      apsp::carry(apsp::csr_view(numbers.offsets, numbers.targets, lengths), in_order), expected);
  check_table<mixed>(apsp::carry(apsp::csr_graph<std::int64_t>(g.n, arcs), in_order), expected);

  const auto without_weights = apsp::csr_view(numbers.offsets, numbers.targets);
  const auto weighted = apsp::weighted(
      without_weights, [&](const apsp::edge& e) { return static_cast<int>(lengths[e.index]); });
  check_table<mixed>(apsp::carry(weighted, in_order), expected);

  check_table<mixed>(apsp::reversed(by_reference), transpose(expected));
  check_table<mixed>(apsp::carry(apsp::reversed(view), attribute), transpose(expected));
  check_table<mixed>(apsp::reversed(apsp::carry(apsp::reversed(weighted), in_order)), expected);

  using link = std::tuple<int, int, std::int64_t>;
  std::vector<link> links;
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    links.emplace_back(g.from[k], g.to[k], arrays.lengths[k]);
  }
  check_table<mixed>(apsp::carry(apsp::edges(static_cast<int>(g.n), links), attribute), expected);

  // A matrix has one arc from u to v, whose position is that of its entry.
  apsp::matrix<std::int64_t> dense(g.n, g.n, apsp::unreachable<std::int64_t>);
  std::vector<double> of_entries(g.n * g.n, 1000);
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    const auto u = static_cast<std::size_t>(g.from[k]), v = static_cast<std::size_t>(g.to[k]);
    const mixed old{dense[u][v], of_entries[u * g.n + v]};
    const mixed x = std::min(old, mixed{arrays.lengths[k], arrays.attributes[k]});
    dense[u][v] = x.distance;
    of_entries[u * g.n + v] = x.attribute;
  }
  const auto of_matrix =
      apsp::carry(dense, [&](const apsp::edge& e) { return of_entries[e.index]; });
  check_table<mixed>(of_matrix, expected);
  apsp::matrix<mixed> solved(g.n);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, of_matrix, solved));
  check_matrix(expected, solved);

  // The number of arcs of the shortest paths with the fewest of them.
  roads counted = g;
  for (auto& x : counted.sums) x.attribute = 1;
  check_table<whole>(apsp::carry(view, apsp::unit_weight{}), least_sums(counted));
  std::vector<std::vector<mixed>> rows(g.n, std::vector<mixed>(g.n));
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::omp, by_reference, rows));
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    BOOST_REQUIRE(is_right(expected, u, v, rows[u][v]));
  });
}

namespace {

struct road {
  std::int64_t minutes;
  double km;
  double length() const { return km; }
};

/// Checks all ways to give an attribute to a Boost graph.
template <class Directed>
void check_boost_graph(const roads& g, const sums_of_all& expected) {
  const arrays_of<mixed> arrays(g);
  using bundled =
      boost::adjacency_list<boost::vecS, boost::vecS, Directed, boost::no_property, road>;
  using with_weights =
      boost::adjacency_list<boost::listS, boost::vecS, Directed, boost::no_property,
                            boost::property<boost::edge_weight_t, std::int64_t, road>>;
  bundled one(g.n);
  with_weights other(g.n);
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    const auto u = static_cast<std::size_t>(g.from[k]), v = static_cast<std::size_t>(g.to[k]);
    const road r{arrays.lengths[k], arrays.attributes[k]};
    add_edge(u, v, r, one);
    add_edge(u, v, {r.minutes, r}, other);
  }
  check_table<mixed>(apsp::carry(other, &road::km), expected);
  check_table<mixed>(apsp::carry(other, get(&road::km, other)), expected);
  check_table<mixed>(apsp::carry(other, [&](const auto& e) { return other[e].km; }), expected);
  check_table<mixed>(apsp::carry(apsp::reversed(other), &road::km), transpose(expected));
  check_table<mixed>(apsp::reversed(apsp::carry(other, &road::km)), transpose(expected));
  const auto weighted = apsp::weighted(one, &road::minutes);
  check_table<mixed>(apsp::carry(weighted, [&](const auto& e) { return one[e].km; }), expected);
  check_table<mixed>(apsp::carry(weighted, &road::km), expected);
  check_table<mixed>(apsp::carry(other, &road::length), expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(directed_boost_graphs) {
  for (const bool negative : {false, true}) {
    const roads g = random_roads(20, 0.06, negative, 1001);
    check_boost_graph<boost::directedS>(g, least_sums(g));
  }
}

BOOST_AUTO_TEST_CASE(undirected_boost_graphs) {
  const roads g = random_roads(20, 0.05, false, 1002);
  // An undirected edge must not be a cycle of length 0 with a negative attribute.
  roads both_ways = g;
  for (std::size_t k = 0; k < g.sums.size(); ++k) {
    both_ways.add(static_cast<std::size_t>(g.to[k]), static_cast<std::size_t>(g.from[k]),
                  g.sums[k].length, g.sums[k].attribute);
  }
  check_boost_graph<boost::undirectedS>(g, least_sums(both_ways));
}

// Both arcs of the cycle have positive lengths, which the sums lose, and attributes that decrease.
BOOST_AUTO_TEST_CASE(lengths_that_rounding_hides) {
  constexpr std::size_t n = 300;
  const std::vector<int> from{0, 1, 2}, to{1, 2, 1};
  const std::vector<double> lengths{1e9, 1e-9, 1e-9}, attributes{0, -1, -1};
  const apsp::edge_list_view roads(n, from, to, lengths);
  const auto graph = apsp::carry(roads, [&](const apsp::edge& e) { return attributes[e.index]; });
  apsp::matrix<apsp::carried<double, double>> row(1, n);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, graph, std::vector<int>{0}, row));
  BOOST_CHECK_EQUAL(row[0][1].distance, 1e9);
  BOOST_CHECK_EQUAL(row[0][2].distance, 1e9);
  BOOST_CHECK_EQUAL(row[0][3].distance, std::numeric_limits<double>::infinity());
}
