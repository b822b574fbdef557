// SPDX-License-Identifier: BSL-1.0
// Compares Boost.Graph's Johnson function with a policy as first argument to Boost's own on the same graphs.
#define BOOST_TEST_MODULE boost_johnson
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost_graph.hpp>
#include <apsp/johnson.hpp>
#include <boost/graph/exception.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <boost/mp11.hpp>
#include <boost/multi_array.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../common/boost_calls.hpp"
#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

// Boost's function requires a distance matrix with the type of the weights.
template <class Policy, class T, class G, class... Parameters>
void check_johnson_like_boost(const G& g, std::size_t size, const Parameters&... parameters) {
  using map = typename boost::property_map<G, boost::edge_weight_t>::const_type;
  auto computed = make_rows<typename boost::property_traits<map>::value_type>(size);
  const bool valid = boost::johnson_all_pairs_shortest_paths(g, computed, parameters...);
  rows<T> expected;
  for (const auto& row : computed) expected.emplace_back(row.begin(), row.end());
  rows<T> d = make_rows<T>(size);
  BOOST_CHECK_EQUAL(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, d, parameters...),
                    valid);
  if (valid) BOOST_CHECK(same(d, expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_defaults, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  for (const std::size_t n : {0u, 1u, 2u, 33u, 140u}) {
    for (const double p : {0.02, 0.3}) {
      const auto positive = random_graph<T>(n, p, 0, 50, n + 1);
      check_johnson_like_boost<Policy, T>(build<list_graph<boost::directedS, T>>(positive), n);
      check_johnson_like_boost<Policy, T>(build<list_graph<boost::directedS, T>>(positive), n + 3);
      // Integral values, so that Boost's potentials of floating-point weights are exact.
      const auto negative = negative_graph<T>(n, p, n + 2);
      check_johnson_like_boost<Policy, T>(build<list_graph<boost::directedS, T>>(negative), n);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_graph_classes, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.1, 1, 40, 7);
  using weight = boost::property<boost::edge_weight_t, int>;
  check_johnson_like_boost<Policy, int>(build<list_graph<boost::undirectedS, int>>(arcs), 50);
  check_johnson_like_boost<Policy, int>(
      build<list_graph<boost::bidirectionalS, int>>(negative_graph<int>(50, 0.1, 7)), 50);
  check_johnson_like_boost<Policy, int>(
      build<boost::adjacency_matrix<boost::directedS, boost::no_property, weight>>(arcs), 50);
  check_johnson_like_boost<Policy, int>(
      build<boost::adjacency_matrix<boost::undirectedS, boost::no_property, weight>>(arcs), 50);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_parameters, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.06, 0, 40, 8);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  const auto w = get(boost::edge_weight, g);
  const auto id = get(boost::vertex_index, g);
  const int max = (std::numeric_limits<int>::max)();
  const std::less<int> less;
  const boost::closed_plus<int> plus;
  check_johnson_like_boost<Policy, int>(g, 50, id, w, 0);
  check_johnson_like_boost<Policy, int>(g, 50, id, w, less, plus, max, 0);
  check_johnson_like_boost<Policy, int>(g, 50, id, w, std::less<>(), std::plus<>(), 1000000, 0);
  check_johnson_like_boost<Policy, int>(g, 50, boost::weight_map(w).vertex_index_map(id));
  // The weights alone, which Boost takes by name.
  rows<int> by_name = make_rows<int>(50);
  rows<int> by_position = by_name;
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(g, by_name, boost::weight_map(w)));
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, by_position, w));
  BOOST_CHECK(by_position == by_name);
  check_johnson_like_boost<Policy, int>(g, 50,
                                        boost::distance_compare(less).distance_combine(plus));
  // Paths and edges longer than inf are unreachable. A different empty path is added to every path.
  for (const int inf : {1, 20, 41, 60, 99999}) {
    check_johnson_like_boost<Policy, int>(g, 50, boost::distance_inf(inf));
    for (const int zero : {0, 3, -4}) {
      if (zero < inf) check_johnson_like_boost<Policy, int>(g, 50, id, w, less, plus, inf, zero);
    }
  }
  check_johnson_like_boost<Policy, int>(g, 50, boost::distance_zero(3));
  // "No path" is the largest weight, even if distances have another type.
  check_johnson_like_boost<Policy, double>(g, 50);
  check_johnson_like_boost<Policy, std::int64_t>(g, 50);
  check_johnson_like_boost<Policy, double>(g, 50, boost::distance_zero(3));

  // Weights given by a function and by a property map are equivalent.
  const auto by_function = [&](const auto& e) { return get(w, e); };
  rows<int> by_map = make_rows<int>(50);
  rows<int> found = by_map;
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(g, by_map, boost::weight_map(w)));
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, found,
                                                     boost::weight_map(by_function)));
  BOOST_CHECK(found == by_map);
  found = make_rows<int>(50);
  BOOST_CHECK(
      apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, found, id, by_function, 0));
  BOOST_CHECK(found == by_map);

  const auto negative = build<list_graph<boost::directedS, int>>(negative_graph<int>(60, 0.05, 9));
  check_johnson_like_boost<Policy, int>(negative, 60, get(boost::vertex_index, negative),
                                        get(boost::edge_weight, negative), 0);
  // All unreachable entries get the inf of the caller; Boost gives some of them another value.
  rows<int> expected = make_rows<int>(60);
  rows<int> d = expected;
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(negative, expected));
  for (const int inf : {30, 5000}) {
    for (const int zero : {0, 3}) {
      BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(
          Policy::policy(), negative, d, boost::distance_inf(inf).distance_zero(zero)));
      for (std::size_t u = 0; u < 60; ++u) {
        for (std::size_t v = 0; v < 60; ++v) {
          const std::int64_t length = std::int64_t{expected[u][v]} + zero;
          BOOST_REQUIRE_EQUAL(d[u][v], std::min<std::int64_t>(length, inf));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_in_the_plain_loop, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  const auto sum = [](int a, int b) { return a + b; };
  const auto before = [](int a, int b) { return a < b; };
  for (const std::size_t n : {1u, 7u, 60u}) {
    const auto g =
        build<list_graph<boost::directedS, int>>(random_graph<int>(n, 0.08, 1, 40, 8 + n));
    const auto w = get(boost::edge_weight, g);
    const auto id = get(boost::vertex_index, g);
    for (const int inf : {30, 1000000}) {
      check_johnson_like_boost<Policy, int>(g, n, id, w, before, sum, inf, 0);
      check_johnson_like_boost<Policy, double>(g, n, id, w, before, sum, inf, 0);
    }
    const auto negative = build<list_graph<boost::directedS, int>>(negative_graph<int>(n, 0.3, n));
    const auto saturated = [](int a, int b) {
      const int max = (std::numeric_limits<int>::max)();
      return a == max || b == max ? max : a + b;
    };
    check_johnson_like_boost<Policy, int>(
        negative, n, boost::distance_combine(saturated).distance_compare(before));
    // The distance type cannot represent the weights.
    const auto fractions =
        build<list_graph<boost::directedS, double>>(random_graph<double>(n, 0.1, 1, 40, n + 3));
    check_johnson_like_boost<Policy, int>(fractions, n, boost::distance_inf(1e6));
    // Subtraction is not defined for widest paths. Boost's plain loop computes the expected result.
    rows<int> expected = make_rows<int>(n);
    rows<int> d = expected;
    BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(
        g, expected, w, std::greater<int>(), at_most_max<int>(), 0, 1000));
    BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(
        Policy::policy(), g, d, id, w, std::greater<int>(), at_most_max<int>(), 0, 1000));
    BOOST_CHECK(d == expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_negative_cycles, Policy, policies) {
  auto arcs = random_graph<int>(30, 0.2, 1, 9, 16);
  arcs.add(3, 5, -4);
  arcs.add(5, 3, 3);
  check_johnson_like_boost<Policy, int>(build<list_graph<boost::directedS, int>>(arcs), 30);
  arc_list<int> loop{2, {}, {}, {}};
  loop.add(1, 1, -1);
  check_johnson_like_boost<Policy, int>(build<list_graph<boost::directedS, int>>(loop), 2);
  arc_list<int> edge{2, {}, {}, {}};
  edge.add(0, 1, -1);
  check_johnson_like_boost<Policy, int>(build<list_graph<boost::directedS, int>>(edge), 2);
  check_johnson_like_boost<Policy, int>(build<list_graph<boost::undirectedS, int>>(edge), 2);
}

BOOST_AUTO_TEST_CASE(johnson_of_tenths) {
  // Potentials of weights that are multiples of 0.1 leave some reweighted edges slightly below zero. Boost's
  // function then throws, or reports a negative cycle.
  const std::size_t n = 300;
  int given_up = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    BOOST_TEST_CONTEXT("n = " << n << ", seed = " << seed) {
      const auto expected = oracle_distances(negative_graph<std::int64_t>(n, 0.01, seed));
      BOOST_REQUIRE(expected.has_value());
      const auto g =
          build<list_graph<boost::directedS, double>>(negative_graph<double>(n, 0.01, seed, 0.1));
      rows<double> d = make_rows<double>(n);
      try {
        if (!boost::johnson_all_pairs_shortest_paths(g, d)) ++given_up;
      } catch (const boost::negative_edge&) {
        ++given_up;
      }
      boost::mp11::mp_for_each<policies>([&](auto policy) {
        BOOST_REQUIRE(apsp::johnson_all_pairs_shortest_paths(policy.policy(), g, d));
        for (std::size_t u = 0; u < n; ++u) {
          for (std::size_t v = 0; v < n; ++v) {
            const std::int64_t tenths = (*expected)[u][v];
            if (tenths == wide_unreachable<std::int64_t>) {
              BOOST_REQUIRE_EQUAL(d[u][v], (std::numeric_limits<double>::max)());
            } else {
              BOOST_REQUIRE_SMALL(d[u][v] - 0.1 * static_cast<double>(tenths), 1e-9);
            }
          }
        }
      });
    }
  }
  BOOST_TEST_MESSAGE("Boost gave up on " << given_up << " of 50 graphs");
  BOOST_CHECK_GT(given_up, 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_matrices, Policy, policies) {
  const auto arcs = negative_graph<int>(30, 0.1, 19);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  rows<int> expected = make_rows<int>(30);
  BOOST_REQUIRE(boost::johnson_all_pairs_shortest_paths(g, expected));
  const auto check = [&](auto&& d) {
    for (std::ptrdiff_t u = 0; u < 30; ++u) {
      for (std::ptrdiff_t v = 0; v < 30; ++v) {
        BOOST_REQUIRE_EQUAL(d[u][v],
                            expected[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)]);
      }
    }
  };
  const auto policy = Policy::policy();
  static int array[32][33];
  array[31][2] = 17;
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, array));
  check(array);
  BOOST_CHECK_EQUAL(array[31][2], 17);
  rows<int> storage = make_rows<int>(30);
  std::vector<int*> pointers;
  for (auto& row : storage) pointers.push_back(row.data());
  int** d = pointers.data();
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d));
  check(d);
  boost::multi_array<int, 2> columns(boost::extents[30][35], boost::fortran_storage_order());
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, columns));
  check(columns);
  auto small = make_rows<int>(29);
  BOOST_CHECK_THROW(apsp::johnson_all_pairs_shortest_paths(policy, g, small),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_filtered_graphs, Policy, policies) {
  // Boost's function numbers a filtered graph without the hidden vertices; its loops do not.
  const auto arcs = negative_graph<int>(40, 0.2, 17);
  using G = list_graph<boost::directedS, int>;
  const G g = build<G>(arcs);
  const auto w = get(boost::edge_weight, g);
  using edge_filter = boost::function<bool(boost::graph_traits<G>::edge_descriptor)>;
  using vertex_filter = boost::function<bool(std::size_t)>;
  const boost::filtered_graph<G, edge_filter, vertex_filter> filtered(
      g, [&](auto e) { return get(w, e) < 30; }, [](std::size_t v) { return v % 3 != 1; });
  rows<int> expected = make_rows<int>(40);
  rows<int> d = expected;
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(filtered, expected));
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), filtered, d));
  BOOST_CHECK(d == expected);
  d = make_rows<int>(40);
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), filtered, d,
                                                     get(boost::vertex_index, filtered), w, 0));
  BOOST_CHECK(d == expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(johnson_index_maps, Policy, policies) {
  using G = boost::adjacency_list<boost::vecS, boost::listS, boost::directedS,
                                  boost::property<boost::vertex_index_t, std::size_t>,
                                  boost::property<boost::edge_weight_t, int>>;
  const auto arcs = negative_graph<int>(25, 0.15, 20);
  G g;
  std::vector<G::vertex_descriptor> vertex;
  for (std::size_t v = 0; v < 25; ++v) vertex.push_back(boost::add_vertex(v, g));
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(vertex[static_cast<std::size_t>(arcs.sources[k])],
                    vertex[static_cast<std::size_t>(arcs.targets[k])], arcs.weights[k], g);
  }
  check_johnson_like_boost<Policy, int>(g, 25);
  const auto backwards = [&](const G::vertex_descriptor& v) {
    return 24 - get(boost::vertex_index, g, v);
  };
  const auto map = boost::make_function_property_map<G::vertex_descriptor, std::size_t>(backwards);
  check_johnson_like_boost<Policy, int>(g, 25, boost::vertex_index_map(map));
  check_johnson_like_boost<Policy, int>(g, 25, map, get(boost::edge_weight, g), 0);
}

BOOST_AUTO_TEST_CASE(johnson_required_policies) {
  const list_graph<boost::directedS, int> g(3);
  auto d = make_rows<int>(3);
  BOOST_CHECK_THROW(
      apsp::johnson_all_pairs_shortest_paths(
          apsp::cuda_tiled.required(), g, d, get(boost::vertex_index, g),
          get(boost::edge_weight, g), std::greater<int>(), at_most_max<int>(), 0, 1000),
      apsp::device_error);
  BOOST_CHECK(d == make_rows<int>(3));
}
