// SPDX-License-Identifier: BSL-1.0
// Compares Boost.Graph's Floyd–Warshall and Johnson functions with a policy as first argument to Boost's
// own functions on the same graphs.
#define BOOST_TEST_MODULE boost_drop_in
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost_graph.hpp>
#include <apsp/johnson.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
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

// Calls both functions with these parameters after the policy.
template <class Policy, class T, class G, class... Parameters>
void check_like_boost(const G& g, std::size_t size, const Parameters&... parameters) {
  rows<T> expected = make_rows<T>(size);
  rows<T> d = expected;
  const bool valid = boost::floyd_warshall_all_pairs_shortest_paths(g, expected, parameters...);
  BOOST_CHECK_EQUAL(
      apsp::floyd_warshall_all_pairs_shortest_paths(Policy::policy(), g, d, parameters...), valid);
  if (valid) BOOST_CHECK(same(d, expected));
}
template <class Policy, class T, class G, class... Parameters>
void check_like_boost_initialized(const G& g, rows<T> d, const Parameters&... parameters) {
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
    d[static_cast<std::size_t>(arcs.sources[k])][static_cast<std::size_t>(arcs.targets[k])] =
        arcs.weights[k];
  }
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(defaults, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  for (const std::size_t n : {0u, 1u, 2u, 33u, 140u}) {
    for (const double p : {0.02, 0.3}) {
      const auto arcs = random_graph<T>(n, p, 0, 50, n + 1);
      const auto g = build<list_graph<boost::directedS, T>>(arcs);
      check_like_boost<Policy, T>(g, n);
      check_like_boost<Policy, T>(g, n + 3);  // Boost accepts a larger matrix
      check_like_boost_initialized<Policy, T>(
          g, matrix_of<T>(arcs, (std::numeric_limits<T>::max)(), n));
    }
  }
  const auto negative = negative_graph<T>(60, 0.2, 5);
  const auto g = build<list_graph<boost::directedS, T>>(negative);
  check_like_boost<Policy, T>(g, 60);
  check_like_boost_initialized<Policy, T>(
      g, matrix_of<T>(negative, (std::numeric_limits<T>::max)(), 6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_classes, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.1, 1, 40, 7);
  check_like_boost<Policy, int>(build<list_graph<boost::undirectedS, int>>(arcs), 50);
  check_like_boost<Policy, int>(build<list_graph<boost::bidirectionalS, int>>(arcs), 50);
  using weight = boost::property<boost::edge_weight_t, int>;
  check_like_boost<Policy, int>(
      build<boost::adjacency_matrix<boost::directedS, boost::no_property, weight>>(arcs), 50);
  check_like_boost<Policy, int>(
      build<boost::adjacency_matrix<boost::undirectedS, boost::no_property, weight>>(arcs), 50);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(parameters, Policy, policies) {
  const auto arcs = random_graph<int>(50, 0.1, 0, 40, 8);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  const auto w = get(boost::edge_weight, g);
  const int max = (std::numeric_limits<int>::max)();
  check_like_boost<Policy, int>(g, 50, w, std::less<int>(), boost::closed_plus<int>(), max, 0);
  check_like_boost<Policy, int>(g, 50, w, std::less<>(), std::plus<>(), 1000000, 0);
  check_like_boost<Policy, int>(g, 50, boost::weight_map(w));
  check_like_boost<Policy, int>(g, 50, boost::weight_map(w).distance_inf(99999));
  // Paths longer than inf are unreachable, and edges may have length inf.
  for (const int inf : {40, 41, 60, 90}) {
    check_like_boost<Policy, int>(g, 50, boost::distance_inf(inf));
    check_like_boost<Policy, int>(g, 50, w, std::less<int>(), std::plus<int>(), inf, 0);
    check_like_boost_initialized<Policy, int>(g, matrix_of<int>(arcs, inf, 9),
                                              boost::distance_inf(inf));
    check_like_boost_initialized<Policy, int>(g, matrix_of<int>(arcs, inf, 10), std::less<int>(),
                                              std::plus<int>(), inf, 0);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_by_position, Policy, policies) {
  for (const std::size_t n : {0u, 1u, 40u}) {
    const auto arcs = random_graph<int>(n, 0.1, 0, 40, 25 + n);
    const auto g = build<list_graph<boost::directedS, int>>(arcs);
    const auto w = get(boost::edge_weight, g);
    using edge = boost::graph_traits<list_graph<boost::directedS, int>>::edge_descriptor;
    const auto check = [&](const auto& weights, const auto& boost_weights) {
      rows<int> expected = make_rows<int>(n);
      rows<int> d = expected;
      BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(
          g, expected, boost::weight_map(boost_weights)));
      BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(Policy::policy(), g, d, weights));
      BOOST_CHECK(d == expected);
      d = make_rows<int>(n);
      BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, d, weights));
      BOOST_CHECK(d == expected);
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
  rows<double> expected = make_rows<double>(4);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(
      g, expected, boost::weight_map(get(&Road::km, g))));
  for (int form = 0; form < 4; ++form) {
    rows<double> d = make_rows<double>(4);
    const auto policy = Policy::policy();
    if (form == 0) {
      BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, &Road::km));
    } else if (form == 1) {
      BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, get(&Road::km, g)));
    } else if (form == 2) {
      BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d, &Road::km));
    } else {
      BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d, get(&Road::km, g)));
    }
    BOOST_CHECK(d == expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_algebras, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  for (const std::size_t n : {1u, 7u, 60u}) {
    const auto arcs = random_graph<int>(n, 0.1, 1, 40, 8 + n);
    const auto g = build<list_graph<boost::undirectedS, int>>(arcs);
    const auto w = get(boost::edge_weight, g);
    // Widest paths: the width of no path is 0, that of the empty path is unbounded.
    check_like_boost<Policy, int>(g, n, w, std::greater<int>(), at_most_max<int>(), 0, 1000);
    check_like_boost<Policy, int>(g, n,
                                  boost::distance_compare(std::greater<int>())
                                      .distance_combine(at_most_max<int>())
                                      .distance_inf(0)
                                      .distance_zero(1000));
    check_like_boost_initialized<Policy, int>(g, matrix_of<int>(arcs, 0, 11), std::greater<int>(),
                                              at_most_max<int>(), 0, 0);
    // The empty path has another length, edges exceed inf, and the functions satisfy no law.
    check_like_boost<Policy, int>(g, n, boost::distance_zero(3));
    check_like_boost<Policy, int>(g, n, boost::distance_inf(20));
    check_like_boost_initialized<Policy, int>(g, matrix_of<int>(arcs, 20, 12),
                                              boost::distance_inf(20));
    const auto directed = build<list_graph<boost::directedS, int>>(arcs);
    const auto odd = [](int a, int b) { return (a * 7 + b * 3) % 101; };
    check_like_boost<Policy, int>(directed, n, get(boost::edge_weight, directed), std::less<int>(),
                                  odd, 1000, 0);
    check_like_boost<Policy, int>(directed, n, get(boost::edge_weight, directed), std::less<int>(),
                                  boost::closed_plus<int>(30), 100, 0);
    // With negative weights, the order of relaxations determines whether a path with a prefix longer than
    // inf is found.
    const auto negative = build<list_graph<boost::directedS, int>>(negative_graph<int>(n, 0.1, 13));
    check_like_boost<Policy, int>(negative, n, boost::distance_inf(75));
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
    const auto g = build<list_graph<boost::directedS, int>>(arcs);
    check_like_boost<Policy, int>(g, 4, boost::distance_inf(100));
    check_like_boost_initialized<Policy, int>(g, matrix_of<int>(arcs, 100, 22),
                                              boost::distance_inf(100));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_algebras_on_threads, Policy, policies) {
  if (!takes_plain_loops<Policy>()) return;
  const std::size_t n = 130;  // large enough for several threads
  const auto g = build<list_graph<boost::directedS, int>>(random_graph<int>(n, 0.03, 1, 40, 21));
  const auto odd = [](int a, int b) { return (a * 7 + b * 3) % 101; };
  check_like_boost<Policy, int>(g, n, get(boost::edge_weight, g), std::less<int>(), odd, 1000, 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(infinite_weights, Policy, policies) {
  // Boost takes the largest number as "no path", so infinity is a length.
  const double infinity = std::numeric_limits<double>::infinity();
  auto arcs = random_graph<double>(40, 0.03, 1, 9, 14);
  for (std::size_t k = 0; k < arcs.size(); k += 3) arcs.weights[k] = infinity;
  const auto g = build<list_graph<boost::directedS, double>>(arcs);
  check_like_boost<Policy, double>(g, 40);
  check_like_boost<Policy, double>(g, 40, boost::distance_inf(infinity));
  auto d = matrix_of<double>(arcs, (std::numeric_limits<double>::max)(), 15);
  check_like_boost_initialized<Policy, double>(g, d);
  for (auto& row : d) {
    std::replace(row.begin(), row.end(), (std::numeric_limits<double>::max)(), infinity);
  }
  check_like_boost_initialized<Policy, double>(g, d);
  check_like_boost_initialized<Policy, double>(g, d, boost::distance_inf(infinity));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negative_cycles, Policy, policies) {
  auto arcs = random_graph<int>(30, 0.2, 1, 9, 16);
  arcs.add(3, 5, -4);
  arcs.add(5, 3, 3);
  check_like_boost<Policy, int>(build<list_graph<boost::directedS, int>>(arcs), 30);
  arc_list<int> loop{2, {}, {}, {}};
  loop.add(1, 1, -1);
  check_like_boost<Policy, int>(build<list_graph<boost::directedS, int>>(loop), 2);
  rows<int> d{{0, 4}, {-5, 0}};
  const list_graph<boost::directedS, int> two(2);
  check_like_boost_initialized<Policy, int>(two, d);
  check_like_boost_initialized<Policy, int>(two, rows<int>{{0, 4}, {4, -1}});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(filtered_graphs, Policy, policies) {
  // Hidden vertices are not pivots, and their rows and columns do not change.
  const auto arcs = random_graph<int>(40, 0.2, 1, 40, 17);
  using G = list_graph<boost::directedS, int>;
  const G g = build<G>(arcs);
  const auto w = get(boost::edge_weight, g);
  using edge_filter = boost::function<bool(boost::graph_traits<G>::edge_descriptor)>;
  using vertex_filter = boost::function<bool(std::size_t)>;
  const boost::filtered_graph<G, edge_filter, vertex_filter> filtered(
      g, [&](auto e) { return get(w, e) < 30; }, [](std::size_t v) { return v % 3 != 1; });
  check_like_boost<Policy, int>(filtered, 40);
  check_like_boost<Policy, int>(filtered, 40, boost::distance_inf(50));
  check_like_boost_initialized<Policy, int>(filtered, matrix_of<int>(arcs, 999, 18),
                                            boost::distance_inf(999));
  if (takes_plain_loops<Policy>()) {
    check_like_boost<Policy, int>(filtered, 40, boost::distance_zero(2));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(matrices, Policy, policies) {
  const auto arcs = random_graph<int>(30, 0.1, 1, 40, 19);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  rows<int> expected = make_rows<int>(30);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(g, expected));
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
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, array));
  check(array);
  BOOST_CHECK_EQUAL(array[31][2], 17);
  for (int form = 0; form < 2; ++form) {
    std::vector<std::vector<int>> storage = make_rows<int>(30);
    std::vector<int*> pointers;
    for (auto& row : storage) pointers.push_back(row.data());
    int** d = pointers.data();
    BOOST_CHECK(form == 0 ? apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d)
                          : apsp::floyd_warshall_all_pairs_shortest_paths(
                                policy, g, d, get(boost::edge_weight, g), std::less<int>(),
                                boost::closed_plus<int>(), (std::numeric_limits<int>::max)(), 0));
    check(d);
  }
  boost::multi_array<int, 2> columns(boost::extents[30][35], boost::fortran_storage_order());
  BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, columns));
  check(columns);
  if (takes_plain_loops<Policy>()) {
    boost::multi_array<int, 2> wide(boost::extents[30][30], boost::fortran_storage_order());
    const auto plus = [](int a, int b) { return a + b; };
    BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(
        policy, g, wide, get(boost::edge_weight, g), std::less<int>(), plus,
        (std::numeric_limits<int>::max)(), 0));
    check(wide);
    BOOST_CHECK(apsp::floyd_warshall_initialized_all_pairs_shortest_paths(
        policy, g, wide, std::less<int>(), plus, (std::numeric_limits<int>::max)(), 0));
    check(wide);
  }
  auto small = make_rows<int>(29);
  BOOST_CHECK_THROW(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, small),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(index_maps, Policy, policies) {
  // Vertices without numbers: numbered by a map, and by an interior index.
  using G = boost::adjacency_list<boost::vecS, boost::listS, boost::directedS,
                                  boost::property<boost::vertex_index_t, std::size_t>,
                                  boost::property<boost::edge_weight_t, int>>;
  const auto arcs = random_graph<int>(25, 0.15, 1, 40, 20);
  G g;
  std::vector<G::vertex_descriptor> vertex;
  for (std::size_t v = 0; v < 25; ++v) vertex.push_back(boost::add_vertex(v, g));
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(vertex[static_cast<std::size_t>(arcs.sources[k])],
                    vertex[static_cast<std::size_t>(arcs.targets[k])], arcs.weights[k], g);
  }
  rows<int> expected = make_rows<int>(25);
  BOOST_REQUIRE(boost::floyd_warshall_all_pairs_shortest_paths(
      build<list_graph<boost::directedS, int>>(arcs), expected));
  rows<int> d = make_rows<int>(25);
  BOOST_REQUIRE(apsp::floyd_warshall_all_pairs_shortest_paths(Policy::policy(), g, d));
  BOOST_CHECK(d == expected);
  d = make_rows<int>(25);
  BOOST_REQUIRE(apsp::floyd_warshall_all_pairs_shortest_paths(Policy::policy(), g, d,
                                                              get(boost::edge_weight, g)));
  BOOST_CHECK(d == expected);
  d = make_rows<int>(25);
  BOOST_REQUIRE(
      apsp::johnson_all_pairs_shortest_paths(Policy::policy(), g, d, get(boost::edge_weight, g)));
  BOOST_CHECK(d == expected);

  const auto backwards = [&](const G::vertex_descriptor& v) {
    return 24 - get(boost::vertex_index, g, v);
  };
  const auto map = boost::make_function_property_map<G::vertex_descriptor, std::size_t>(backwards);
  BOOST_REQUIRE(apsp::floyd_warshall_all_pairs_shortest_paths(Policy::policy(), g, d,
                                                              boost::vertex_index_map(map)));
  for (std::size_t u = 0; u < 25; ++u) {
    for (std::size_t v = 0; v < 25; ++v) BOOST_REQUIRE_EQUAL(d[24 - u][24 - v], expected[u][v]);
  }
}

BOOST_AUTO_TEST_CASE(required_policies) {
  const list_graph<boost::directedS, int> g(3);
  auto d = make_rows<int>(3);
  for (const auto& policy : {apsp::cuda_tiled.required()}) {
    BOOST_CHECK_THROW(apsp::floyd_warshall_all_pairs_shortest_paths(
                          policy, g, d, get(boost::edge_weight, g), std::greater<int>(),
                          at_most_max<int>(), 0, 1000),
                      apsp::device_error);
  }
  BOOST_CHECK(d == make_rows<int>(3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopped_calls_return_false, Policy, policies) {
  apsp::stop_source source;
  source.request_stop();
  const auto policy = Policy::policy().stop(source.get_token());
  const auto arcs = random_graph<int>(40, 0.1, 1, 40, 23);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  auto d = make_rows<int>(40);
  BOOST_CHECK(!apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d));
  BOOST_CHECK(!apsp::johnson_all_pairs_shortest_paths(policy, g, d));
  d = matrix_of<int>(arcs, (std::numeric_limits<int>::max)(), 24);
  BOOST_CHECK(!apsp::floyd_warshall_initialized_all_pairs_shortest_paths(policy, g, d));
  if (takes_plain_loops<Policy>()) {
    const auto before = [](int a, int b) { return a < b; };
    std::size_t last = 0;
    const auto watched =
        Policy::policy().progress([&](std::size_t done, std::size_t) { last = done; });
    const auto stopped = watched.stop(source.get_token());
    BOOST_CHECK(!apsp::floyd_warshall_all_pairs_shortest_paths(stopped, g, d,
                                                               boost::distance_compare(before)));
    BOOST_CHECK(
        !apsp::johnson_all_pairs_shortest_paths(stopped, g, d, boost::distance_compare(before)));
    BOOST_CHECK_EQUAL(last, 0u);
    BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(watched, g, d,
                                                              boost::distance_compare(before)));
    BOOST_CHECK_EQUAL(last, 40u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cut_off_calls, Policy, policies) {
  const auto arcs = random_graph<int>(40, 0.1, 1, 40, 25);
  const auto g = build<list_graph<boost::directedS, int>>(arcs);
  auto expected = make_rows<int>(40);
  BOOST_REQUIRE(
      boost::floyd_warshall_all_pairs_shortest_paths(g, expected, boost::distance_inf(999)));
  for (auto& row : expected) {
    for (auto& entry : row) entry = entry > 50 ? 999 : entry;
  }
  const auto policy = Policy::policy().cutoff(50.5L);
  auto d = make_rows<int>(40);
  BOOST_CHECK(
      apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, boost::distance_inf(999)));
  BOOST_CHECK(d == expected);
  d = make_rows<int>(40);
  BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d, boost::distance_inf(999)));
  BOOST_CHECK(d == expected);
  if (takes_plain_loops<Policy>()) {
    const auto before = [](int a, int b) { return a < b; };
    const auto parameters = boost::distance_inf(999).distance_compare(before);
    d = make_rows<int>(40);
    BOOST_CHECK(apsp::floyd_warshall_all_pairs_shortest_paths(policy, g, d, parameters));
    BOOST_CHECK(d == expected);
    d = make_rows<int>(40);
    BOOST_CHECK(apsp::johnson_all_pairs_shortest_paths(policy, g, d, parameters));
    BOOST_CHECK(d == expected);
  }
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
