// SPDX-License-Identifier: BSL-1.0
// Compares Boost.Graph's Floyd–Warshall and Johnson functions with a policy as first argument to
// Boost's own functions on the same graphs.
#define BOOST_TEST_MODULE boost_drop_in
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost_graph.hpp>
#include <apsp/johnson.hpp>
#include <boost/graph/exception.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <boost/mp11.hpp>
#include <boost/multi_array.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/boost_calls.hpp"
#include "../common/graphs.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using int_graph = list_graph<boost::directedS, int>;
constexpr int largest = (std::numeric_limits<int>::max)();

/// The functions of both libraries.
struct of_floyd_warshall {
  static bool boost(auto&&... call) {
    return boost::floyd_warshall_all_pairs_shortest_paths(call...);
  }
  static bool apsp(auto&&... call) {
    return apsp::floyd_warshall_all_pairs_shortest_paths(call...);
  }
};
struct of_johnson {
  static bool boost(auto&&... call) { return boost::johnson_all_pairs_shortest_paths(call...); }
  static bool apsp(auto&&... call) { return apsp::johnson_all_pairs_shortest_paths(call...); }
};
template <class F>
void for_both_functions(F f) {
  f(of_floyd_warshall());
  f(of_johnson());
}

/// Calls the functions of both libraries with these parameters. Boost's Johnson requires a distance
/// matrix with the type of the weights.
template <class Function, class Policy, class T = void, class G, class... Parameters>
void check(const G& g, std::size_t size, const Parameters&... parameters) {
  using map = typename boost::property_map<G, boost::edge_weight_t>::const_type;
  using weight = typename boost::property_traits<map>::value_type;
  using distance = std::conditional_t<std::is_void_v<T>, weight, T>;
  auto computed = make_rows<weight>(size);
  auto d = make_rows<distance>(size);
  const bool valid = Function::boost(g, computed, parameters...);
  BOOST_CHECK_EQUAL(Function::apsp(Policy::policy(), g, d, parameters...), valid);
  if (!valid) return;
  rows<distance> expected;
  for (const auto& row : computed) expected.emplace_back(row.begin(), row.end());
  BOOST_CHECK(same(d, expected));
}
/// What Boost's Floyd–Warshall finds.
template <class T, class G, class... Parameters>
rows<T> by_boost(const G& g, std::size_t n, const Parameters&... parameters) {
  rows<T> d = make_rows<T>(n);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(g, d, parameters...));
  return d;
}
/// Checks that solve(d) finds these distances.
template <class T, class Solve>
void check_solve(const rows<T>& expected, Solve solve) {
  rows<T> d = make_rows<T>(expected.size());
  BOOST_CHECK(solve(d));
  BOOST_CHECK(d == expected);
}
template <class Policy, class G>
void check_both(const G& g, std::size_t size) {
  for_both_functions([&]<class Function>(Function) { check<Function, Policy>(g, size); });
}
template <class Policy, class G, class T, class... Parameters>
void check_initialized(const G& g, rows<T> d, const Parameters&... parameters) {
  rows<T> expected = d;
  const bool valid =
      boost::floyd_warshall_initialized_all_pairs_shortest_paths(g, expected, parameters...);
  BOOST_CHECK_EQUAL(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(Policy::policy(), g,
                                                                              d, parameters...),
                    valid);
  if (valid) BOOST_CHECK(same(d, expected));
}

// A matrix of random arcs, with positive entries on a part of the diagonal.
template <class T>
rows<T> matrix_of(const arc_list<T>& arcs, T inf, std::uint64_t seed) {
  random_numbers random(seed);
  rows<T> d = make_rows<T>(arcs.n, inf);
  for (std::size_t v = 0; v < arcs.n; ++v) {
    const auto kind = random(0, 2);
    if (kind > 0) d[v][v] = static_cast<T>(kind == 1 ? 0 : random(1, 9));
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    d[arcs.from(k)][arcs.to(k)] = arcs.weights[k];
  }
  return d;
}

/// A graph whose vertices are numbered by an interior index.
using indexed_graph = boost::adjacency_list<boost::vecS, boost::listS, boost::directedS,
                                            boost::property<boost::vertex_index_t, std::size_t>,
                                            boost::property<boost::edge_weight_t, int>>;
indexed_graph build_indexed(const arc_list<int>& arcs) {
  indexed_graph g;
  std::vector<indexed_graph::vertex_descriptor> vertex;
  for (std::size_t v = 0; v < arcs.n; ++v) vertex.push_back(boost::add_vertex(v, g));
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(vertex[arcs.from(k)], vertex[arcs.to(k)], arcs.weights[k], g);
  }
  return g;
}

/// The part of a graph without some of its vertices and edges.
struct light_edges {
  const int_graph* graph = nullptr;
  bool operator()(const boost::graph_traits<int_graph>::edge_descriptor& e) const {
    return get(boost::edge_weight, *graph, e) < 30;
  }
};
struct kept_vertices {
  bool operator()(std::size_t v) const { return v % 3 != 1; }
};
auto filtered_part(const int_graph& g) {
  return boost::filtered_graph<int_graph, light_edges, kept_vertices>(g, light_edges{&g},
                                                                      kept_vertices{});
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(defaults, With, policies_and_fewer_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  for (const std::size_t n : {0u, 1u, 2u, 33u, 140u}) {
    for (const double p : {0.02, 0.3}) {
      const auto arcs = random_graph<T>(n, p, 0, 50, n + 1);
      const auto g = build_directed(arcs);
      check_both<Policy>(g, n);
      check_both<Policy>(g, n + 3);  // Boost accepts a larger matrix
      check_initialized<Policy>(g, matrix_of<T>(arcs, (std::numeric_limits<T>::max)(), n));
      // Integral values, so that Boost's potentials of floating-point weights are exact.
      const auto negative = negative_graph<T>(n, p, n + 2);
      check_both<Policy>(build_directed(negative), n);
    }
  }
  const auto negative = negative_graph<T>(60, 0.2, 5);
  check_initialized<Policy>(build_directed(negative),
                            matrix_of<T>(negative, (std::numeric_limits<T>::max)(), 6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_classes, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.1, 1, 40, 7);
  check_both<Policy>(build<list_graph<boost::undirectedS, int>>(arcs), 50);
  check_both<Policy>(build<list_graph<boost::bidirectionalS, int>>(arcs), 50);
  check_both<Policy>(build<list_graph<boost::bidirectionalS, int>>(negative_graph<int>(50, 0.1, 7)),
                     50);
  using weight = boost::property<boost::edge_weight_t, int>;
  check_both<Policy>(
      build<boost::adjacency_matrix<boost::directedS, boost::no_property, weight>>(arcs), 50);
  check_both<Policy>(
      build<boost::adjacency_matrix<boost::undirectedS, boost::no_property, weight>>(arcs), 50);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parameters_of_floyd_warshall, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.1, 0, 40, 8);
  const auto g = build_directed(arcs);
  const auto w = get(boost::edge_weight, g);
  check<of_floyd_warshall, Policy>(g, 50, w, std::less<int>(), boost::closed_plus<int>(), largest,
                                   0);
  check<of_floyd_warshall, Policy>(g, 50, w, std::less<>(), std::plus<>(), 1000000, 0);
  check<of_floyd_warshall, Policy>(g, 50, boost::weight_map(w));
  check<of_floyd_warshall, Policy>(g, 50, boost::weight_map(w).distance_inf(99999));
  // Paths longer than inf are unreachable, and edges may have length inf.
  for (const int inf : {40, 41, 60, 90}) {
    check<of_floyd_warshall, Policy>(g, 50, boost::distance_inf(inf));
    check<of_floyd_warshall, Policy>(g, 50, w, std::less<int>(), std::plus<int>(), inf, 0);
    check_initialized<Policy>(g, matrix_of<int>(arcs, inf, 9), boost::distance_inf(inf));
    check_initialized<Policy>(g, matrix_of<int>(arcs, inf, 10), std::less<int>(), std::plus<int>(),
                              inf, 0);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parameters_of_johnson, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.06, 0, 40, 8);
  const auto g = build_directed(arcs);
  const auto w = get(boost::edge_weight, g);
  const auto id = get(boost::vertex_index, g);
  const std::less<int> less;
  const boost::closed_plus<int> plus;
  check<of_johnson, Policy>(g, 50, id, w, 0);
  check<of_johnson, Policy>(g, 50, id, w, less, plus, largest, 0);
  check<of_johnson, Policy>(g, 50, id, w, std::less<>(), std::plus<>(), 1000000, 0);
  check<of_johnson, Policy>(g, 50, boost::weight_map(w).vertex_index_map(id));
  check<of_johnson, Policy>(g, 50, boost::distance_compare(less).distance_combine(plus));
  // Paths and edges longer than inf are unreachable. A different empty path is added to every path.
  for (const int inf : {1, 20, 41, 60, 99999}) {
    check<of_johnson, Policy>(g, 50, boost::distance_inf(inf));
    for (const int zero : {0, 3, -4}) {
      if (zero < inf) check<of_johnson, Policy>(g, 50, id, w, less, plus, inf, zero);
    }
  }
  check<of_johnson, Policy>(g, 50, boost::distance_zero(3));
  // "No path" is the largest weight, even if distances have another type.
  check<of_johnson, Policy, double>(g, 50);
  check<of_johnson, Policy, std::int64_t>(g, 50);
  check<of_johnson, Policy, double>(g, 50, boost::distance_zero(3));

  // Weights given by a function and by a property map are equivalent.
  const auto by_function = [&](const auto& e) { return get(w, e); };
  rows<int> by_map = make_rows<int>(50);
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(g, by_map, boost::weight_map(w)));
  const auto johnson = [&](const auto& graph, auto& d, const auto&... parameters) {
    return apsp::johnson_all_pairs_shortest_paths(Policy::policy(), graph, d, parameters...);
  };
  check_solve(by_map, [&](auto& d) { return johnson(g, d, boost::weight_map(by_function)); });
  check_solve(by_map, [&](auto& d) { return johnson(g, d, id, by_function, 0); });

  const auto negative = build_directed(negative_graph<int>(60, 0.05, 9));
  check<of_johnson, Policy>(negative, 60, get(boost::vertex_index, negative),
                            get(boost::edge_weight, negative), 0);
  // All unreachable entries get the inf of the caller; Boost gives some of them another value.
  rows<int> expected = make_rows<int>(60);
  rows<int> d = expected;
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(negative, expected));
  for (const int inf : {30, 5000}) {
    for (const int zero : {0, 3}) {
      BOOST_CHECK(johnson(negative, d, boost::distance_inf(inf).distance_zero(zero)));
      for_each_pair(60, [&](std::size_t u, std::size_t v) {
        const std::int64_t length = std::int64_t{expected[u][v]} + zero;
        BOOST_REQUIRE_EQUAL(d[u][v], std::min<std::int64_t>(length, inf));
      });
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_by_position, Policy, policies) {
  for (const std::size_t n : {0u, 1u, 40u}) {
    const auto arcs = random_graph<int>(n, 0.1, 0, 40, 25 + n);
    const auto g = build_directed(arcs);
    const auto w = get(boost::edge_weight, g);
    using edge = boost::graph_traits<int_graph>::edge_descriptor;
    const auto check = [&](const auto& weights, const auto& boost_weights) {
      const auto expected = by_boost<int>(g, n, boost::weight_map(boost_weights));
      for_both_functions([&]<class Function>(Function) {
        check_solve(expected,
                    [&](auto& d) { return Function::apsp(Policy::policy(), g, d, weights); });
      });
    };
    check(w, w);
    // Weights other than the interior ones, as a property map and as a function.
    const auto doubled = [w](const edge& e) { return 2 * get(w, e) + 1; };
    const auto map = boost::make_function_property_map<edge, int>(doubled);
    check(map, map);
    check(doubled, map);
  }
  // A member of a bundled property, of a graph without interior weights.
  struct Road {
    double km;
  };
  using G =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Road>;
  G g(4);
  add_edge(0, 1, Road{1.5}, g);
  add_edge(1, 2, Road{2}, g);
  add_edge(0, 2, Road{5}, g);
  const auto expected = by_boost<double>(g, 4, boost::weight_map(get(&Road::km, g)));
  for_both_functions([&]<class Function>(Function) {
    check_solve(expected,
                [&](auto& d) { return Function::apsp(Policy::policy(), g, d, &Road::km); });
    check_solve(expected,
                [&](auto& d) { return Function::apsp(Policy::policy(), g, d, get(&Road::km, g)); });
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_algebras, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  for (const std::size_t n : {1u, 7u, 60u}) {
    const auto arcs = random_graph<int>(n, 0.1, 1, 40, 8 + n);
    const auto g = build<list_graph<boost::undirectedS, int>>(arcs);
    const auto w = get(boost::edge_weight, g);
    // Widest paths: the width of no path is 0, that of the empty path is unbounded.
    check<of_floyd_warshall, Policy>(g, n, w, std::greater<int>(), at_most_max<int>(), 0, 1000);
    check<of_floyd_warshall, Policy>(g, n,
                                     boost::distance_compare(std::greater<int>())
                                         .distance_combine(at_most_max<int>())
                                         .distance_inf(0)
                                         .distance_zero(1000));
    check_initialized<Policy>(g, matrix_of<int>(arcs, 0, 11), std::greater<int>(),
                              at_most_max<int>(), 0, 0);
    // The empty path has another length, edges exceed inf, and the functions satisfy no law.
    check<of_floyd_warshall, Policy>(g, n, boost::distance_zero(3));
    check<of_floyd_warshall, Policy>(g, n, boost::distance_inf(20));
    check_initialized<Policy>(g, matrix_of<int>(arcs, 20, 12), boost::distance_inf(20));
    const auto directed = build_directed(arcs);
    const auto odd = [](int a, int b) { return (a * 7 + b * 3) % 101; };
    check<of_floyd_warshall, Policy>(directed, n, get(boost::edge_weight, directed),
                                     std::less<int>(), odd, 1000, 0);
    check<of_floyd_warshall, Policy>(directed, n, get(boost::edge_weight, directed),
                                     std::less<int>(), boost::closed_plus<int>(30), 100, 0);
    // With negative weights, the order of relaxations determines whether a path with a prefix
    // longer than inf is found.
    const auto negative = build_directed(negative_graph<int>(n, 0.1, 13));
    check<of_floyd_warshall, Policy>(negative, n, boost::distance_inf(75));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(paths_back_from_above_inf, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  // 60 + 60 - 50 is found if the order of the pivots joins the last two arcs first.
  const std::vector<std::vector<std::size_t>> orders{{0, 1, 2, 3}, {0, 2, 1, 3}};
  for (const auto& v : orders) {
    arc_list<int> arcs{4, {}, {}, {}};
    arcs.add(v[0], v[1], 60);
    arcs.add(v[1], v[2], 60);
    arcs.add(v[2], v[3], -50);
    const auto g = build_directed(arcs);
    check<of_floyd_warshall, Policy>(g, 4, boost::distance_inf(100));
    check_initialized<Policy>(g, matrix_of<int>(arcs, 100, 22), boost::distance_inf(100));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_algebras_on_threads, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  const std::size_t n = 130;  // large enough for several threads
  const auto g = build_directed(random_graph<int>(n, 0.03, 1, 40, 21));
  const auto odd = [](int a, int b) { return (a * 7 + b * 3) % 101; };
  check<of_floyd_warshall, Policy>(g, n, get(boost::edge_weight, g), std::less<int>(), odd, 1000,
                                   0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_in_the_plain_loop, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  const auto sum = [](int a, int b) { return a + b; };
  const auto before = [](int a, int b) { return a < b; };
  for (const std::size_t n : {1u, 7u, 60u}) {
    const auto g = build_directed(random_graph<int>(n, 0.08, 1, 40, 8 + n));
    const auto w = get(boost::edge_weight, g);
    const auto id = get(boost::vertex_index, g);
    for (const int inf : {30, 1000000}) {
      check<of_johnson, Policy>(g, n, id, w, before, sum, inf, 0);
      check<of_johnson, Policy, double>(g, n, id, w, before, sum, inf, 0);
    }
    const auto negative = build_directed(negative_graph<int>(n, 0.3, n));
    const auto saturated = [](int a, int b) {
      return a == largest || b == largest ? largest : a + b;
    };
    check<of_johnson, Policy>(negative, n,
                              boost::distance_combine(saturated).distance_compare(before));
    // The distance type cannot represent the weights.
    const auto fractions = build_directed(random_graph<double>(n, 0.1, 1, 40, n + 3));
    check<of_johnson, Policy>(fractions, n, boost::distance_inf(1e6));
    // Subtraction is not defined for widest paths. Boost's plain loop computes the expected result.
    const std::greater<int> wider;
    const at_most_max<int> narrowest;
    check_solve(by_boost<int>(g, n, w, wider, narrowest, 0, 1000), [&](auto& d) {
      return apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, d, id, w, wider, narrowest,
                                                    0, 1000);
    });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinite_weights, Policy, policies) {
  // Boost takes the largest number as "no path", so infinity is a length.
  const double infinity = std::numeric_limits<double>::infinity();
  auto arcs = random_graph<double>(40, 0.03, 1, 9, 14);
  for (std::size_t k = 0; k < arcs.size(); k += 3) arcs.weights[k] = infinity;
  const auto g = build_directed(arcs);
  check<of_floyd_warshall, Policy>(g, 40);
  check<of_floyd_warshall, Policy>(g, 40, boost::distance_inf(infinity));
  auto d = matrix_of<double>(arcs, (std::numeric_limits<double>::max)(), 15);
  check_initialized<Policy>(g, d);
  for (auto& row : d) {
    std::replace(row.begin(), row.end(), (std::numeric_limits<double>::max)(), infinity);
  }
  check_initialized<Policy>(g, d);
  check_initialized<Policy>(g, d, boost::distance_inf(infinity));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  auto arcs = random_graph<int>(30, 0.2, 1, 9, 16);
  arcs.add(3, 5, -4);
  arcs.add(5, 3, 3);
  check_both<Policy>(build_directed(arcs), 30);
  check_both<Policy>(build_directed(make_graph<int>(2, {{1, 1, -1}})), 2);
  const auto edge = make_graph<int>(2, {{0, 1, -1}});
  check_both<Policy>(build_directed(edge), 2);
  check_both<Policy>(build<list_graph<boost::undirectedS, int>>(edge), 2);
  check_initialized<Policy>(int_graph(2), rows<int>{{0, 4}, {-5, 0}});
  check_initialized<Policy>(int_graph(2), rows<int>{{0, 4}, {4, -1}});
}

BOOST_AUTO_TEST_CASE(johnson_of_tenths) {
  // Potentials of weights that are multiples of 0.1 leave some reweighted edges slightly below
  // zero. Boost's function then throws, or reports a negative cycle.
  const std::size_t n = 300;
  constexpr std::uint64_t num_graphs = 12;
  int given_up = 0;
  for (std::uint64_t seed = 1; seed <= num_graphs; ++seed) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << seed) {
      const auto expected = oracle_distances(negative_graph<std::int64_t>(n, 0.01, seed));
      BOOST_REQUIRE(expected.has_value());
      const auto g = build_directed(negative_graph<double>(n, 0.01, seed, 0.1));
      rows<double> d = make_rows<double>(n);
      try {
        if (!boost::johnson_all_pairs_shortest_paths(g, d)) ++given_up;
      } catch (const boost::negative_edge&) {
        ++given_up;
      }
      boost::mp11::mp_for_each<policies>([&](auto policy) {
        BOOST_REQUIRE(apsp::johnson_all_pairs_shortest_paths(policy.policy(), g, d));
        std::size_t num_wrong = 0;
        for_each_pair(n, [&](std::size_t u, std::size_t v) {
          const std::int64_t tenths = (*expected)[u][v];
          const bool is_right = tenths == wide_unreachable<std::int64_t>
                                    ? d[u][v] == (std::numeric_limits<double>::max)()
                                    : std::abs(d[u][v] - 0.1 * static_cast<double>(tenths)) < 1e-9;
          num_wrong += is_right ? 0 : 1;
        });
        BOOST_REQUIRE_EQUAL(num_wrong, 0u);
      });
    }
  }
  BOOST_TEST_MESSAGE("Boost gave up on " << given_up << " of " << num_graphs << " graphs");
  BOOST_CHECK_GT(given_up, 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(filtered_graphs, Policy, policies) {
  // Hidden vertices are not pivots, and their rows and columns do not change.
  const auto arcs = random_graph<int>(40, 0.2, 1, 40, 17);
  const int_graph g = build_directed(arcs);
  const auto filtered = filtered_part(g);
  check<of_floyd_warshall, Policy>(filtered, 40);
  check<of_floyd_warshall, Policy>(filtered, 40, boost::distance_inf(50));
  check_initialized<Policy>(filtered, matrix_of<int>(arcs, 999, 18), boost::distance_inf(999));
  if (takes_plain_loops<Policy>()) {
    check<of_floyd_warshall, Policy>(filtered, 40, boost::distance_zero(2));
  }
  // Boost's Johnson numbers a filtered graph without the hidden vertices; its loops do not.
  const int_graph negative = build_directed(negative_graph<int>(40, 0.2, 17));
  const auto part = filtered_part(negative);
  const auto expected = by_boost<int>(part, 40);
  check_solve(expected, [&](auto& d) {
    return apsp::johnson_all_pairs_shortest_paths(Policy::policy(), part, d);
  });
  check_solve(expected, [&](auto& d) {
    return apsp::johnson_all_pairs_shortest_paths(Policy::policy(), part, d,
                                                  get(boost::vertex_index, part),
                                                  get(boost::edge_weight, negative), 0);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(matrices, Policy, policies) {
  const auto policy = Policy::policy();
  for (const bool negative : {false, true}) {
    const auto g = build_directed(negative ? negative_graph<int>(30, 0.1, 19)
                                           : random_graph<int>(30, 0.1, 1, 40, 19));
    const auto expected = by_boost<int>(g, 30);
    const auto check_entries = [&](auto&& d) {
      for_each_pair(30, [&](std::size_t u, std::size_t v) {
        const auto i = static_cast<std::ptrdiff_t>(u), j = static_cast<std::ptrdiff_t>(v);
        BOOST_REQUIRE_EQUAL(d[i][j], expected[u][v]);
      });
    };
    const auto check_matrices = [&](auto solve) {
      static int array[32][33];
      array[31][2] = 17;
      BOOST_CHECK(solve(array));
      check_entries(array);
      BOOST_CHECK_EQUAL(array[31][2], 17);
      std::vector<std::vector<int>> storage = make_rows<int>(30);
      std::vector<int*> pointers;
      for (auto& row : storage) pointers.push_back(row.data());
      int** d = pointers.data();
      BOOST_CHECK(solve(d));
      check_entries(d);
      boost::multi_array<int, 2> columns(boost::extents[30][35], boost::fortran_storage_order());
      BOOST_CHECK(solve(columns));
      check_entries(columns);
    };
    for_both_functions([&]<class Function>(Function) {
      check_matrices([&](auto& d) { return Function::apsp(policy, g, d); });
      auto small = make_rows<int>(29);
      BOOST_CHECK_THROW(Function::apsp(policy, g, small), std::invalid_argument);
    });
    const auto w = get(boost::edge_weight, g);
    check_matrices([&](auto& d) {
      return apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, w, std::less<int>(),
                                                           boost::closed_plus<int>(), largest, 0);
    });
    if (negative || !takes_plain_loops<Policy>()) continue;
    boost::multi_array<int, 2> wide(boost::extents[30][30], boost::fortran_storage_order());
    const auto plus = [](int x, int y) { return x + y; };
    BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, wide, w, std::less<int>(),
                                                              plus, largest, 0));
    check_entries(wide);
    BOOST_CHECK(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(
        policy, g, wide, std::less<int>(), plus, largest, 0));
    check_entries(wide);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(index_maps, Policy, policies) {
  for (const bool negative : {false, true}) {
    const auto arcs =
        negative ? negative_graph<int>(25, 0.15, 20) : random_graph<int>(25, 0.15, 1, 40, 20);
    const auto g = build_indexed(arcs);
    const auto expected = by_boost<int>(build_directed(arcs), 25);
    const auto backwards = [&](const indexed_graph::vertex_descriptor& v) {
      return 24 - get(boost::vertex_index, g, v);
    };
    const auto map =
        boost::make_function_property_map<indexed_graph::vertex_descriptor, std::size_t>(backwards);
    for_both_functions([&]<class Function>(Function) {
      check_solve(expected, [&](auto& d) { return Function::apsp(Policy::policy(), g, d); });
      check_solve(expected, [&](auto& d) {
        return Function::apsp(Policy::policy(), g, d, get(boost::edge_weight, g));
      });
      rows<int> d = make_rows<int>(25);
      BOOST_REQUIRE(Function::apsp(Policy::policy(), g, d, boost::vertex_index_map(map)));
      for_each_pair(25, [&](std::size_t u, std::size_t v) {
        BOOST_REQUIRE_EQUAL(d[24 - u][24 - v], expected[u][v]);
      });
    });
    check<of_johnson, Policy>(g, 25);
    check<of_johnson, Policy>(g, 25, boost::vertex_index_map(map));
    check<of_johnson, Policy>(g, 25, map, get(boost::edge_weight, g), 0);
  }
}

BOOST_AUTO_TEST_CASE(required_policies) {
  const int_graph g(3);
  const auto w = get(boost::edge_weight, g);
  const auto policy = apsp::cuda_tiled.required();
  auto d = make_rows<int>(3);
  BOOST_CHECK_THROW(apsp::floyd_warshall_all_pairs_shortest_paths(
                        policy, g, d, w, std::greater<int>(), at_most_max<int>(), 0, 1000),
                    apsp::device_error);
  BOOST_CHECK_THROW(
      apsp::johnson_all_pairs_shortest_paths(policy, g, d, get(boost::vertex_index, g), w,
                                             std::greater<int>(), at_most_max<int>(), 0, 1000),
      apsp::device_error);
  BOOST_CHECK(d == make_rows<int>(3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_calls_return_false, Policy, policies) {
  const auto policy = Policy::policy().stop(requested_stop());
  const auto arcs = random_graph<int>(40, 0.1, 1, 40, 23);
  const auto g = build_directed(arcs);
  auto d = matrix_of<int>(arcs, largest, 24);
  BOOST_CHECK(!apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy, g, d));
  for_both_functions([&]<class Function>(Function) {
    BOOST_CHECK(!Function::apsp(policy, g, d));
    if (!takes_plain_loops<Policy>()) return;
    const auto before = boost::distance_compare([](int x, int y) { return x < y; });
    std::size_t last = 0;
    const auto watched =
        Policy::policy().progress([&](std::size_t done, std::size_t) { last = done; });
    BOOST_CHECK(!Function::apsp(watched.stop(requested_stop()), g, d, before));
    BOOST_CHECK_EQUAL(last, 0u);
    BOOST_CHECK(Function::apsp(watched, g, d, before));
    BOOST_CHECK_EQUAL(last, 40u);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cut_off_calls, Policy, policies) {
  const auto g = build_directed(random_graph<int>(40, 0.1, 1, 40, 25));
  auto expected = by_boost<int>(g, 40, boost::distance_inf(999));
  for (auto& row : expected) {
    for (auto& entry : row) entry = entry > 50 ? 999 : entry;
  }
  const auto policy = Policy::policy().cutoff(50.5L);
  for_both_functions([&]<class Function>(Function) {
    const auto check_with = [&](const auto& parameters) {
      check_solve(expected, [&](auto& d) { return Function::apsp(policy, g, d, parameters); });
    };
    check_with(boost::distance_inf(999));
    if (!takes_plain_loops<Policy>()) return;
    const auto before = [](int x, int y) { return x < y; };
    check_with(boost::distance_inf(999).distance_compare(before));
  });
}

namespace with_everything_in_scope {

using namespace apsp;
using namespace boost;

BOOST_AUTO_TEST_CASE(names_are_not_ambiguous) {
  const auto arcs = random_graph<int>(20, 0.2, 1, 40, 26);
  const auto g = build<list_graph<directedS, int>>(arcs);
  auto expected = make_rows<int>(20);
  BOOST_REQUIRE(johnson_all_pairs_shortest_paths(g, expected));
  auto d = make_rows<int>(20);
  BOOST_CHECK(johnson_all_pairs_shortest_paths(apsp::seq, g, d));
  BOOST_CHECK(d == expected);
  BOOST_CHECK(johnson_all_pairs_shortest_paths(apsp::seq, g, d, distance_zero(0)));
  BOOST_CHECK(johnson_all_pairs_shortest_paths(apsp::seq, g, d, get(vertex_index, g),
                                               get(edge_weight, g), 0));
  BOOST_CHECK(floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d));
  BOOST_CHECK(d == expected);
  const auto done = johnson(apsp::seq, weighted(g, get(edge_weight, g)), d);
  BOOST_CHECK(done);
}

}  // namespace with_everything_in_scope
