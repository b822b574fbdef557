// SPDX-License-Identifier: BSL-1.0
// Tests of every Boost.Graph class as a graph, with every way to pass weights.
#define BOOST_TEST_MODULE boost_graph
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/boost_graph.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/weighted.hpp>
#include <array>
#include <boost/graph/directed_graph.hpp>
#include <boost/graph/grid_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <list>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

struct City {
  int number = -1;
};
struct Toll {
  int euros = 0;
};
struct Road : Toll {
  Road() = default;
  explicit Road(int length) : km(length), hours(length * 0.5) {}
  double minutes() const { return hours * 60; }
  int km = 0;
  double hours = 0;
};

// Interior properties with a bundle, so that weights can be passed in both ways.
using road_property = boost::property<boost::edge_index_t, std::size_t,
                                      boost::property<boost::edge_weight_t, int, Road>>;
road_property make_road(int km) {
  return road_property(0, {km, Road(km)});
}

template <class OutEdges, class Vertices, class Directed, class VertexProperty = City>
using list_graph =
    boost::adjacency_list<OutEdges, Vertices, Directed, VertexProperty, road_property>;
using numbered_vertex = boost::property<boost::vertex_index_t, int, City>;

template <class Directed>
using matrix_graph = boost::adjacency_matrix<Directed, City, road_property>;
using csr = boost::compressed_sparse_row_graph<boost::directedS, City, Road>;

template <class G>
constexpr bool undirected =
    std::is_convertible_v<typename boost::graph_traits<G>::directed_category,
                          boost::undirected_tag>;

// The expected arcs of g, in the order of the vertices.
struct sample {
  arc_list<int> arcs;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<int> lengths;
};

sample make_sample(std::size_t n, double p, bool is_undirected, bool parallel, std::uint64_t seed) {
  random_numbers random(seed);
  sample s{{n, {}, {}, {}}, {}, {}};
  const auto add = [&](std::size_t u, std::size_t v) {
    const auto km = static_cast<int>(random(1, 99));
    s.edges.emplace_back(u, v);
    s.lengths.push_back(km);
    s.arcs.add(u, v, km);
    if (is_undirected) s.arcs.add(v, u, km);
  };
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = is_undirected ? u : 0; v < n; ++v) {
      if (!random.chance(p)) continue;  // self-loops are included
      add(u, v);
      if (parallel && random.chance(0.3)) add(u, v);
    }
  }
  return s;
}

template <class G>
G build(const sample& s) {
  G g(s.arcs.n);
  const auto range = vertices(g);
  const std::vector<typename boost::graph_traits<G>::vertex_descriptor> vertex(range.first,
                                                                               range.second);
  for (std::size_t k = 0; k < s.edges.size(); ++k) {
    boost::add_edge(vertex[s.edges[k].first], vertex[s.edges[k].second], make_road(s.lengths[k]),
                    g);
  }
  return g;
}

using read_arc = std::tuple<std::size_t, std::size_t, double>;

// Self-loops of an undirected graph may be visited once or twice.
std::vector<read_arc> sorted(std::vector<read_arc> arcs) {
  std::sort(arcs.begin(), arcs.end());
  const auto same_loop = [](const read_arc& a, const read_arc& b) {
    return std::get<0>(a) == std::get<1>(a) && a == b;
  };
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same_loop), arcs.end());
  return arcs;
}

// Checks that the graph has these arcs, however it is read.
template <class T, class Graph>
void check_arcs(const arc_list<T>& arcs, const Graph& g) {
  using adaptor = apsp::graph_adaptor_t<Graph>;
  std::vector<read_arc> expected;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    expected.emplace_back(arcs.sources[k], arcs.targets[k], static_cast<double>(arcs.weights[k]));
  }
  expected = sorted(std::move(expected));

  adaptor::validate(g);
  BOOST_REQUIRE_EQUAL(apsp::num_vertices_of(g), arcs.n);
  std::vector<read_arc> read;
  adaptor::for_each_edge(g, [&](std::size_t u, std::size_t v, const auto& w) {
    read.emplace_back(u, v, static_cast<double>(w));
  });
  BOOST_CHECK(sorted(read) == expected);
  if constexpr (apsp::graph_with_out_edges<Graph>) {
    read.clear();
    for (std::size_t u = 0; u < arcs.n; ++u) {
      adaptor::for_each_out_edge(g, u, [&](std::size_t v, const auto& w) {
        read.emplace_back(u, v, static_cast<double>(w));
      });
    }
    BOOST_CHECK(sorted(read) == expected);
  }
}

// Checks the distances of every policy.
template <class T, class Graph>
void check_distances_of(const arc_list<T>& arcs, const Graph& g) {
  arc_list<double> expected{arcs.n, arcs.sources, arcs.targets, {}};
  expected.weights.assign(arcs.weights.begin(), arcs.weights.end());
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, policies>>(
      [&](auto policy) {
        apsp::matrix<double> d(arcs.n);
        BOOST_REQUIRE(apsp::floyd_warshall(decltype(policy)::type::policy(), g, d));
        check_distances(expected, d);
      });
}

arc_list<int> transposed(arc_list<int> arcs) {
  std::swap(arcs.sources, arcs.targets);
  return arcs;
}

// Checks all ways to pass weights, for a graph whose interior property is the weight.
template <class G>
void check_all_weights(const arc_list<int>& arcs, const G& g) {
  using edge = typename boost::graph_traits<G>::edge_descriptor;
  check_arcs(arcs, g);
  check_arcs(arcs, apsp::weighted(g, &Road::km));
  check_arcs(arcs, apsp::weighted(g, get(boost::edge_weight, g)));
  check_arcs(arcs, apsp::weighted(g, get(&Road::km, g)));
  check_arcs(arcs, apsp::weighted(g, [&](edge e) { return g[e].km; }));
  check_arcs(transposed(arcs), apsp::reversed(g));
  check_arcs(transposed(arcs), apsp::reversed(apsp::weighted(g, &Road::km)));
  check_arcs(transposed(arcs), apsp::weighted(apsp::reversed(g), &Road::km));
  check_arcs(transposed(arcs), apsp::weighted(apsp::reversed(g), get(boost::edge_weight, g)));

  arc_list<int> steps = arcs;
  std::fill(steps.weights.begin(), steps.weights.end(), 1);
  check_arcs(steps, apsp::unweighted(g));

  arc_list<double> hours{arcs.n, arcs.sources, arcs.targets, {}};
  for (const int km : arcs.weights) hours.weights.push_back(km * 0.5);
  check_arcs(hours, apsp::weighted(g, &Road::hours));

  for (double& w : hours.weights) w *= 60;
  const auto by_function = apsp::weighted(g, &Road::minutes);
  check_arcs(hours, by_function);
  // User code is called by one thread.
  static_assert(!apsp::graph_with_out_edges<decltype(by_function)>);

  arc_list<int> tolls = arcs;  // a member of a base class
  std::fill(tolls.weights.begin(), tolls.weights.end(), 0);
  check_arcs(tolls, apsp::weighted(g, &Road::euros));
}

using vec = boost::vecS;
using graphs_by_number = boost::mp11::mp_list<
    list_graph<vec, vec, boost::directedS>, list_graph<vec, vec, boost::bidirectionalS>,
    list_graph<vec, vec, boost::undirectedS>, list_graph<boost::listS, vec, boost::directedS>,
    list_graph<boost::multisetS, vec, boost::undirectedS>,
    list_graph<boost::setS, vec, boost::directedS>, matrix_graph<boost::directedS>,
    matrix_graph<boost::undirectedS>>;
using graphs_by_order =
    boost::mp11::mp_list<list_graph<vec, boost::listS, boost::directedS>,
                         list_graph<boost::setS, boost::setS, boost::undirectedS>,
                         list_graph<vec, boost::listS, boost::bidirectionalS>>;
using graphs_with_index = boost::mp11::mp_list<
    list_graph<vec, boost::listS, boost::directedS, numbered_vertex>,
    list_graph<boost::listS, boost::setS, boost::undirectedS, numbered_vertex>>;

template <class G>
constexpr bool allows_parallel =
    std::is_convertible_v<typename boost::graph_traits<G>::edge_parallel_category,
                          boost::allow_parallel_edge_tag>;

// Renumbers the endpoints of the arcs.
arc_list<int> renumbered(arc_list<int> arcs, const std::vector<std::size_t>& number) {
  for (auto* ends : {&arcs.sources, &arcs.targets}) {
    for (auto& v : *ends) v = static_cast<std::int32_t>(number[static_cast<std::size_t>(v)]);
  }
  return arcs;
}

std::vector<std::size_t> shuffled_numbers(std::size_t n, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::size_t> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto j = static_cast<std::size_t>(random(0, static_cast<std::int64_t>(i)));
    numbers[i] = numbers[j];
    numbers[j] = i;
  }
  return numbers;
}

template <class G>
void set_index(G& g, const std::vector<std::size_t>& number) {
  std::size_t position = 0;
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    put(boost::vertex_index, g, v, static_cast<int>(number[position++]));
  }
}

template <class Graph>
void check_refused(const Graph& g, std::size_t n) {
  apsp::matrix<double> d(n, n, -7);
  BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(apsp::seq, g, d)),
                    std::invalid_argument);
  BOOST_CHECK(std::all_of(d.begin(), d.end(), [](double x) { return x == -7; }));
}

// The numbers are those of the arcs, which the other checks compare.
template <class G, class Vertex>
void check_vertices_by_number(const G& g, const std::vector<Vertex>& expected) {
  const auto found = apsp::vertices_by_number(g);
  BOOST_REQUIRE_EQUAL(found.size(), expected.size());
  BOOST_CHECK_EQUAL(found.size(), apsp::num_vertices_of(g));
  BOOST_CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_CHECK(found[i] == expected[i]);
  BOOST_CHECK(std::vector<Vertex>(found.begin(), found.end()) == expected);
}

// The inverse, also of views of the graph.
template <class G, class Vertex>
void check_numbers_by_vertex(const G& g, const std::vector<Vertex>& expected) {
  const auto number = apsp::numbers_by_vertex(g);
  const auto reversed = apsp::reversed(apsp::weighted(g, &Road::km));
  const auto number_in_view = apsp::numbers_by_vertex(reversed);
  const auto found = apsp::vertices_by_number(reversed);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_CHECK_EQUAL(number(expected[i]), i);
    BOOST_CHECK_EQUAL(number_in_view(expected[i]), i);
    BOOST_CHECK(found[i] == expected[i]);
  }
}

// The vertices in the order of iteration.
template <class G>
auto listed_vertices(const G& g) {
  const auto range = vertices(g);
  return std::vector<typename boost::graph_traits<G>::vertex_descriptor>(range.first, range.second);
}

// The order of the vertices after they are renumbered.
template <class Vertex>
std::vector<Vertex> in_order(const std::vector<Vertex>& vertices,
                             const std::vector<std::size_t>& number) {
  std::vector<Vertex> sorted(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) sorted[number[i]] = vertices[i];
  return sorted;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(integral_descriptors, G, graphs_by_number) {
  for (const std::size_t n : {0u, 1u, 2u, 40u, 131u}) {
    if (n == 0 && !allows_parallel<G>) continue;
    const auto s = make_sample(n, 4.0 / (static_cast<double>(n) + 1), undirected<G>,
                               allows_parallel<G>, 11 + n);
    const G g = build<G>(s);
    check_all_weights(s.arcs, g);
    check_distances_of(s.arcs, g);
    check_vertices_by_number(g, listed_vertices(g));
    check_numbers_by_vertex(g, listed_vertices(g));
    static_assert(!std::is_same_v<decltype(apsp::vertices_by_number(g)),
                                  decltype(listed_vertices(g))>);  // nothing is stored
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(vertices_without_index, G, graphs_by_order) {
  const auto s = make_sample(60, 0.08, undirected<G>, false, 5);
  G g = build<G>(s);
  // The vertices of a setS graph are ordered by address, so they are numbered in the order of
  // iteration.
  check_all_weights(s.arcs, g);
  check_vertices_by_number(g, listed_vertices(g));
  check_numbers_by_vertex(g, listed_vertices(g));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(vertices_with_index, G, graphs_with_index) {
  const auto s = make_sample(60, 0.08, undirected<G>, false, 6);
  const auto numbers = shuffled_numbers(s.arcs.n, 3);
  G g = build<G>(s);
  set_index(g, numbers);
  check_all_weights(renumbered(s.arcs, numbers), g);
  check_distances_of(renumbered(s.arcs, numbers), g);
  check_vertices_by_number(g, in_order(listed_vertices(g), numbers));
  check_numbers_by_vertex(g, in_order(listed_vertices(g), numbers));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(broken_index, G, graphs_with_index) {
  const auto s = make_sample(9, 0.5, undirected<G>, false, 6);
  G g = build<G>(s);  // all indices are 0
  check_refused(g, 9);
  check_refused(apsp::reversed(apsp::weighted(g, &Road::km)), 9);
  BOOST_CHECK_THROW(static_cast<void>(apsp::vertices_by_number(g)), std::invalid_argument);
  check_refused(boost::make_filtered_graph(g, boost::keep_all{}), 9);
  auto numbers = shuffled_numbers(9, 4);
  *std::max_element(numbers.begin(), numbers.end()) = 9;
  set_index(g, numbers);
  check_refused(g, 9);
  *std::max_element(numbers.begin(), numbers.end()) = static_cast<std::size_t>(-1);
  set_index(g, numbers);
  check_refused(g, 9);
}

BOOST_AUTO_TEST_CASE(compressed_sparse_rows) {
  const auto s = make_sample(90, 0.06, false, true, 8);
  std::vector<Road> roads;
  for (const int km : s.lengths) roads.emplace_back(km);
  const csr g(boost::edges_are_sorted, s.edges.begin(), s.edges.end(), roads.begin(), s.arcs.n);
  check_arcs(s.arcs, apsp::weighted(g, &Road::km));
  check_distances_of(s.arcs, apsp::weighted(g, &Road::km));
  check_arcs(s.arcs, apsp::weighted(g, get(&Road::km, g)));
  check_arcs(s.arcs, apsp::weighted(g, [&](auto e) { return g[e].km; }));
  check_arcs(transposed(s.arcs), apsp::reversed(apsp::weighted(g, &Road::km)));

  using weight = boost::property<boost::edge_weight_t, int>;
  const std::vector<weight> weights(s.lengths.begin(), s.lengths.end());
  const boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, weight,
                                           boost::no_property, int, unsigned>
      narrow(boost::edges_are_sorted, s.edges.begin(), s.edges.end(), weights.begin(),
             static_cast<int>(s.arcs.n));
  check_arcs(s.arcs, narrow);
  check_arcs(s.arcs, apsp::weighted(narrow, get(boost::edge_weight, narrow)));

  const boost::compressed_sparse_row_graph<boost::bidirectionalS, boost::no_property, Road> both(
      boost::edges_are_unsorted_multi_pass, s.edges.begin(), s.edges.end(), roads.begin(),
      s.arcs.n);
  check_arcs(s.arcs, apsp::weighted(both, &Road::km));
  check_arcs(transposed(s.arcs), apsp::weighted(boost::make_reverse_graph(both), &Road::km));
}

BOOST_AUTO_TEST_CASE(reverse_graphs) {
  const auto s = make_sample(50, 0.1, false, true, 9);
  const auto g = build<list_graph<vec, vec, boost::bidirectionalS>>(s);
  check_all_weights(transposed(s.arcs), boost::make_reverse_graph(g));
  auto changeable = g;
  check_all_weights(transposed(s.arcs), boost::make_reverse_graph(changeable));
  const auto forth = boost::make_reverse_graph(g);
  check_arcs(s.arcs, boost::make_reverse_graph(forth));
  check_arcs(s.arcs, apsp::reversed(apsp::weighted(forth, &Road::km)));

  const auto t = make_sample(50, 0.1, false, false, 10);
  const auto m = build<matrix_graph<boost::directedS>>(t);
  check_arcs(transposed(t.arcs), boost::make_reverse_graph(m));
}

BOOST_AUTO_TEST_CASE(filtered_graphs) {
  const auto s = make_sample(50, 0.15, false, true, 12);
  using G = list_graph<vec, vec, boost::bidirectionalS>;
  const G g = build<G>(s);
  const auto is_near = [&g](auto e) { return g[e].km < 60; };
  const auto is_odd = [](std::size_t v) { return v % 2 == 1 || v % 5 == 0; };
  arc_list<int> visible{s.arcs.n, {}, {}, {}};
  for (std::size_t k = 0; k < s.arcs.size(); ++k) {
    const auto [u, v] = s.edges[k];
    if (s.lengths[k] < 60 && is_odd(u) && is_odd(v)) visible.add(u, v, s.lengths[k]);
  }
  using edge_filter = boost::function<bool(boost::graph_traits<G>::edge_descriptor)>;
  using vertex_filter = boost::function<bool(std::size_t)>;
  const boost::filtered_graph<G, edge_filter, vertex_filter> filtered(g, is_near, is_odd);
  check_all_weights(visible, filtered);
  check_distances_of(visible, filtered);
  check_arcs(transposed(visible), boost::make_reverse_graph(filtered));
  check_vertices_by_number(filtered, listed_vertices(g));  // with the hidden ones
  check_vertices_by_number(boost::make_reverse_graph(filtered), listed_vertices(g));
  const auto reverse = boost::make_reverse_graph(g);
  check_arcs(transposed(visible), boost::make_filtered_graph(
                                      reverse, [&](auto e) { return reverse[e].km < 60; }, is_odd));

  // Vertices are numbered without the hidden ones.
  std::vector<std::size_t> number(s.arcs.n, 0);
  std::size_t count = 0;
  for (std::size_t v = 0; v < s.arcs.n; ++v) {
    if (is_odd(v)) number[v] = count++;
  }
  arc_list<int> compact = renumbered(visible, number);
  compact.n = count;
  const auto map = boost::make_iterator_property_map(number.begin(), get(boost::vertex_index, g));
  check_arcs(compact, apsp::boost_graph(filtered, map, count));
  check_vertices_by_number(apsp::boost_graph(filtered, map, count), listed_vertices(filtered));
  check_refused(apsp::boost_graph(filtered, map, count - 1), count - 1);
  check_refused(apsp::boost_graph(g, map), s.arcs.n);
  auto with_gaps = listed_vertices(filtered);
  with_gaps.resize(s.arcs.n, boost::graph_traits<G>::null_vertex());
  check_vertices_by_number(apsp::boost_graph(filtered, map, s.arcs.n), with_gaps);

  using listed = list_graph<vec, boost::listS, boost::directedS>;
  const auto l = build<listed>(make_sample(9, 0.3, false, true, 12));
  const auto all = listed_vertices(l);
  const auto is_not_first = [&](auto v) { return v != all.front(); };
  check_vertices_by_number(boost::make_filtered_graph(l, boost::keep_all{}, is_not_first), all);
}

BOOST_AUTO_TEST_CASE(subgraphs) {
  const auto s = make_sample(40, 0.2, false, true, 13);
  auto root = build<boost::subgraph<list_graph<vec, vec, boost::directedS>>>(s);
  check_all_weights(s.arcs, root);

  const std::vector<std::size_t> members{31, 4, 17, 8, 0, 25, 39, 12, 9, 30};
  auto& part = root.create_subgraph(members.begin(), members.end());
  const auto local = [&](const auto& all) {
    arc_list<int> arcs{all.size(), {}, {}, {}};
    for (std::size_t k = 0; k < s.edges.size(); ++k) {
      const auto u = std::find(all.begin(), all.end(), s.edges[k].first);
      const auto v = std::find(all.begin(), all.end(), s.edges[k].second);
      if (u == all.end() || v == all.end()) continue;
      arcs.add(static_cast<std::size_t>(u - all.begin()), static_cast<std::size_t>(v - all.begin()),
               s.lengths[k]);
    }
    return arcs;
  };
  check_all_weights(local(members), part);
  check_distances_of(local(members), part);
  check_arcs(local(members), boost::make_filtered_graph(part, boost::keep_all{}));
  check_vertices_by_number(part, listed_vertices(part));

  const std::vector<std::size_t> fewer{8, 31, 30};
  auto& inner = part.create_subgraph(fewer.begin(), fewer.end());
  check_all_weights(local(fewer), inner);

  const auto t = make_sample(30, 0.2, true, false, 14);
  auto undirected_root = build<boost::subgraph<list_graph<vec, vec, boost::undirectedS>>>(t);
  check_all_weights(t.arcs, undirected_root);
}

BOOST_AUTO_TEST_CASE(index_maps) {
  const auto s = make_sample(50, 0.1, false, true, 15);
  const auto numbers = shuffled_numbers(s.arcs.n, 16);
  const auto arcs = renumbered(s.arcs, numbers);
  const auto g = build<list_graph<vec, vec, boost::directedS>>(s);
  const auto map = boost::make_iterator_property_map(numbers.begin(), get(boost::vertex_index, g));
  check_arcs(arcs, apsp::boost_graph(g, map));
  check_arcs(arcs, apsp::boost_graph(g, numbers.data()));
  check_vertices_by_number(apsp::boost_graph(g, map), in_order(listed_vertices(g), numbers));
  check_vertices_by_number(apsp::boost_graph(g, numbers.data()),
                           in_order(listed_vertices(g), numbers));
  check_arcs(arcs, apsp::weighted(apsp::boost_graph(g, map), &Road::km));
  check_arcs(transposed(arcs), apsp::reversed(apsp::boost_graph(g, map)));

  using named = boost::directed_graph<City, boost::property<boost::edge_weight_t, int>>;
  named h;
  std::vector<named::vertex_descriptor> vertex;
  for (std::size_t v = 0; v < s.arcs.n; ++v) vertex.push_back(h.add_vertex());
  for (std::size_t k = 0; k < s.edges.size(); ++k) {
    h.add_edge(vertex[s.edges[k].first], vertex[s.edges[k].second], s.lengths[k]);
  }
  check_arcs(s.arcs, apsp::boost_graph(h, get(boost::vertex_index, h)));
  check_vertices_by_number(apsp::boost_graph(h, get(boost::vertex_index, h)), vertex);
}

BOOST_AUTO_TEST_CASE(other_models) {
  // The distance of two fields of the board is |x - x'| + |y - y'|.
  const boost::grid_graph<2> board(boost::array<std::size_t, 2>{{6, 7}});
  check_vertices_by_number(apsp::boost_graph(board, get(boost::vertex_index, board)),
                           listed_vertices(board));
  apsp::matrix<int> d(42);
  BOOST_REQUIRE(apsp::floyd_warshall(
      apsp::omp, apsp::unweighted(apsp::boost_graph(board, get(boost::vertex_index, board))), d));
  for (int u = 0; u < 42; ++u) {
    for (int v = 0; v < 42; ++v) {
      const int steps = std::abs(u % 6 - v % 6) + std::abs(u / 6 - v / 6);
      BOOST_REQUIRE_EQUAL(d[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)], steps);
    }
  }
}

// The functions of this graph are in namespace boost, but its type is not.
BOOST_AUTO_TEST_CASE(vectors_of_lists) {
  const std::vector<std::list<int>> g{{1}, {2, 3}, {0}, {}};
  apsp::matrix<int> d(4);
  BOOST_REQUIRE(apsp::floyd_warshall(
      apsp::seq, apsp::unweighted(apsp::boost_graph(g, boost::identity_property_map())), d));
  constexpr int none = apsp::unreachable<int>;
  const std::vector<int> expected{0, 1, 2, 2, 2, 0, 1, 1, 1, 2, 0, 3, none, none, none, 0};
  BOOST_CHECK_EQUAL_COLLECTIONS(d.begin(), d.end(), expected.begin(), expected.end());
}

// A matrix of distances is not a list of sources, whatever numbers the vertices of the graph.
using all_lists = boost::mp11::mp_append<graphs_by_number, graphs_by_order, graphs_with_index>;
BOOST_AUTO_TEST_CASE_TEMPLATE(distances_are_no_sources, G, all_lists) {
  struct user_defined {
    float value;
  };
  const auto are_none = []<class Graph>(const Graph&) {
    static_assert(!apsp::vertex_range<apsp::matrix<float>&, Graph>);
    static_assert(!apsp::vertex_range<apsp::matrix<double>&, Graph>);
    static_assert(!apsp::vertex_range<apsp::matrix<int>&, Graph>);
    static_assert(!apsp::vertex_range<apsp::matrix<user_defined>&, Graph>);
  };
  const auto s = make_sample(9, 0.5, undirected<G>, false, 6);
  G g = build<G>(s);
  if constexpr (boost::mp11::mp_contains<graphs_with_index, G>::value) {
    set_index(g, shuffled_numbers(9, 4));
  }
  are_none(g);
  are_none(apsp::weighted(g, &Road::hours));
  apsp::matrix<float> d(9);
  apsp::matrix<double> e(9);
  apsp::matrix<int> p(9);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, apsp::weighted(g, &Road::hours), d, p));
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, apsp::weighted(g, &Road::hours), e));
  BOOST_CHECK(std::equal(d.begin(), d.end(), e.begin(), e.end()));
}

BOOST_AUTO_TEST_CASE(what_a_graph_is) {
  using plain = boost::adjacency_list<vec, vec, boost::directedS>;
  static_assert(apsp::graph<plain> && !apsp::graph_with_weights<plain>);
  static_assert(apsp::graph_with_arcs<plain> && !apsp::graph_with_out_edges<plain>);
  using weighted_list = list_graph<vec, vec, boost::undirectedS>;
  static_assert(apsp::graph_with_out_edges<weighted_list>);
  static_assert(std::is_same_v<apsp::weight_type_t<weighted_list>, int>);
  const weighted_list g(3);
  static_assert(apsp::graph_with_out_edges<decltype(apsp::weighted(g, &Road::km))>);
  static_assert(
      apsp::graph_with_out_edges<decltype(apsp::weighted(g, get(boost::edge_weight, g)))>);
  // User code is not called from several threads.
  static_assert(!apsp::graph_with_out_edges<decltype(apsp::unweighted(g))>);
  static_assert(!apsp::graph_with_out_edges<list_graph<vec, boost::listS, boost::directedS>>);
  static_assert(!apsp::graph<int> && !apsp::graph<Road>);
}
