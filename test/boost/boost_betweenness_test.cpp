// SPDX-License-Identifier: BSL-1.0
// Compares Boost.Graph's betweenness with a policy as first argument to Boost's own function on
// random graphs of its classes, with parallel edges and self-loops.
#define BOOST_TEST_MODULE boost_betweenness
#include <boost/test/unit_test.hpp>

#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/mp11.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

template <class Directed, class T, class Vertices = boost::vecS>
using numbered_edges = boost::adjacency_list<
    boost::vecS, Vertices, Directed, boost::property<boost::vertex_index_t, std::size_t>,
    boost::property<boost::edge_weight_t, T, boost::property<boost::edge_index_t, std::size_t>>>;

constexpr double nothing = -3;

/// A random graph in which several shortest paths, parallel arcs and self-loops are common.
template <class T>
arc_list<T> random_arcs(std::size_t n, std::size_t num_arcs, std::uint64_t seed, double step = 1) {
  random_numbers random(seed);
  arc_list<T> g{n, {}, {}, {}};
  for (std::size_t k = 0; n > 0 && k < num_arcs; ++k) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    g.add(u, v, static_cast<T>(static_cast<double>(random(1, 3)) * step));
    if (random.chance(0.2)) g.add(u, v, g.weights.back());
  }
  return g;
}

template <class G, class T>
G build(const arc_list<T>& arcs) {
  G g(arcs.n);
  std::vector<typename G::vertex_descriptor> all;
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    if constexpr (!std::is_integral_v<typename G::vertex_descriptor>) {
      put(boost::vertex_index, g, v, all.size());
    }
    all.push_back(v);
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    boost::add_edge(all[arcs.from(k)], all[arcs.to(k)], {arcs.weights[k], {k}}, g);
  }
  return g;
}

/// Scores of vertices and edges, and property maps of them.
template <class G, class Score = double>
class scores {
 public:
  scores(const G& g, std::size_t num_edges)
      : vertices_(num_vertices(g), Score(nothing)),
        edges_(num_edges, Score(nothing)),
        vertex_index_(get(boost::vertex_index, g)),
        edge_index_(get(boost::edge_index, g)) {}
  auto of_vertices() { return boost::make_iterator_property_map(vertices_.begin(), vertex_index_); }
  auto of_edges() { return boost::make_iterator_property_map(edges_.begin(), edge_index_); }

  void check(const scores& expected) const {
    check(vertices_, expected.vertices_, "vertex");
    check(edges_, expected.edges_, "edge");
  }
  bool are_untouched() const {
    return vertices_ == std::vector<Score>(vertices_.size(), Score(nothing)) &&
           edges_ == std::vector<Score>(edges_.size(), Score(nothing));
  }

 private:
  static void check(const std::vector<Score>& got, const std::vector<Score>& expected,
                    const char* what) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double rounding = std::is_same_v<Score, float> ? 1e-4 : 1e-10;
      const auto scale = 1 + std::abs(static_cast<double>(expected[i]));
      if (std::abs(static_cast<double>(got[i] - expected[i])) <= rounding * scale) continue;
      BOOST_ERROR("the score of " << what << " " << i << " is " << got[i] << ", not "
                                  << expected[i]);
      return;
    }
  }

  std::vector<Score> vertices_;
  std::vector<Score> edges_;
  typename boost::property_map<G, boost::vertex_index_t>::const_type vertex_index_;
  typename boost::property_map<G, boost::edge_index_t>::const_type edge_index_;
};

/// A property map of vertices that are numbers. Boost's function takes no pointers.
auto map_of(std::vector<double>& values) {
  return boost::make_iterator_property_map(values.begin(),
                                           boost::typed_identity_property_map<std::size_t>());
}

/// Checks all forms of a call on one graph. Boost's function is that of the named parameters.
template <class Score = double, class Policy, class G>
void check_forms(const Policy& policy, const G& g, std::size_t num_edges) {
  using boost::dummy_property_map;
  const auto check = [&](auto by_boost, auto by_apsp) {
    scores<G, Score> expected(g, num_edges);
    scores<G, Score> computed(g, num_edges);
    by_boost(expected);
    BOOST_REQUIRE(by_apsp(computed));
    computed.check(expected);
  };
  const auto w = get(boost::edge_weight, g);
  const auto index = get(boost::vertex_index, g);
  const dummy_property_map unused;
  // Counting edges.
  check([&](auto& s) { boost::brandes_betweenness_centrality(g, s.of_vertices()); },
        [&](auto& s) { return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices()); });
  const auto boost_unweighted = [&](auto& s) {
    boost::brandes_betweenness_centrality(g, s.of_vertices(), s.of_edges());
  };
  check(boost_unweighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), s.of_edges());
  });
  check(boost_unweighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), s.of_edges(), unused,
                                                unused, unused, unused, index);
  });
  check(boost_unweighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(
        policy, g, boost::centrality_map(s.of_vertices()).edge_centrality_map(s.of_edges()));
  });
  // By weights.
  const auto boost_weighted = [&](auto& s) {
    boost::brandes_betweenness_centrality(
        g, boost::centrality_map(s.of_vertices()).edge_centrality_map(s.of_edges()).weight_map(w));
  };
  check(boost_weighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), s.of_edges(), w);
  });
  check(boost_weighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), s.of_edges(), unused,
                                                unused, unused, unused, index, w);
  });
  check(boost_weighted, [&](auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g,
                                                boost::weight_map(w)
                                                    .edge_centrality_map(s.of_edges())
                                                    .vertex_index_map(index)
                                                    .centrality_map(s.of_vertices()));
  });
  // Of edges or vertices alone.
  check(
      [&](auto& s) {
        boost::brandes_betweenness_centrality(
            g, boost::edge_centrality_map(s.of_edges()).weight_map(w));
      },
      [&](auto& s) {
        return apsp::brandes_betweenness_centrality(policy, g, unused, s.of_edges(), w);
      });
  check(
      [&](auto& s) {
        boost::brandes_betweenness_centrality(g,
                                              boost::centrality_map(s.of_vertices()).weight_map(w));
      },
      [&](auto& s) {
        return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), unused, w);
      });
}

}  // namespace

using directions = std::tuple<boost::directedS, boost::bidirectionalS, boost::undirectedS>;

BOOST_AUTO_TEST_CASE_TEMPLATE(all_forms_have_the_scores_of_boost, Policy, policies) {
  boost::mp11::mp_for_each<directions>([]<class Directed>(Directed) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      BOOST_TEST_CONTEXT("seed " << seed) {
        const std::size_t n = seed < 3 ? seed : 4 + 2 * seed;
        const auto arcs = random_arcs<int>(n, 3 * n, seed);
        check_forms(Policy::policy(), build<numbered_edges<Directed, int>>(arcs), arcs.size());
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(vertices_may_be_in_a_list, Directed, directions) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto arcs = random_arcs<int>(14, 40, seed + 50);
      check_forms(apsp::seq, build<numbered_edges<Directed, int, boost::listS>>(arcs), arcs.size());
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lengths_are_equal_as_in_boost, Directed, directions) {
  // Sums of multiples of 0.1 differ by rounding.
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto arcs = random_arcs<double>(25, 80, seed + 100, 0.1);
      check_forms(apsp::omp.threads(2), build<numbered_edges<Directed, double>>(arcs), arcs.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(scores_may_be_of_other_types) {
  const auto arcs = random_arcs<int>(20, 60, 7);
  const auto g = build<numbered_edges<boost::undirectedS, int>>(arcs);
  check_forms<float>(apsp::seq, g, arcs.size());
  check_forms<long double>(apsp::seq, g, arcs.size());

  // Pointers, and maps of keys to values.
  std::vector<double> expected(arcs.n);
  boost::brandes_betweenness_centrality(g, map_of(expected));
  std::vector<double> of_vertices(arcs.n, nothing);
  std::map<std::size_t, double> of_numbers;
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(apsp::seq, g, of_vertices.data()));
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(apsp::seq, g,
                                                     boost::make_assoc_property_map(of_numbers)));
  for (std::size_t v = 0; v < arcs.n; ++v) {
    BOOST_CHECK_CLOSE(of_vertices[v], expected[v], 1e-8);
    BOOST_CHECK_CLOSE(of_numbers[v], expected[v], 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(compressed_rows_and_matrices) {
  const auto arcs = in_rows(random_arcs<int>(20, 60, 8));
  const auto ordered = to_arcs<int>(arcs);
  using rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                                  boost::property<boost::edge_weight_t, int>>;
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  for (std::size_t k = 0; k < ordered.size(); ++k) {
    ends.emplace_back(ordered.from(k), ordered.to(k));
  }
  const rows g(boost::edges_are_sorted, ends.begin(), ends.end(), ordered.weights.begin(),
               ordered.n);
  check_forms(apsp::seq, g, ordered.size());

  using matrix =
      boost::adjacency_matrix<boost::undirectedS, boost::no_property,
                              boost::property<boost::edge_weight_t, int,
                                              boost::property<boost::edge_index_t, std::size_t>>>;
  matrix m(12);
  random_numbers random(9);
  std::size_t num_edges = 0;
  for_each_pair(12, [&](std::size_t u, std::size_t v) {
    if (u < v && random.chance(0.4)) {
      add_edge(u, v, matrix::edge_property_type{static_cast<int>(random(1, 3)), {num_edges++}}, m);
    }
  });
  check_forms(apsp::seq, m, num_edges);
}

BOOST_AUTO_TEST_CASE(hidden_vertices_have_no_scores) {
  using graph = numbered_edges<boost::undirectedS, int>;
  const auto arcs = random_arcs<int>(20, 60, 10);
  const auto whole = build<graph>(arcs);
  const auto is_kept = [](std::size_t v) { return v % 4 != 1; };
  const boost::filtered_graph<graph, boost::keep_all, std::function<bool(std::size_t)>> part(
      whole, boost::keep_all(), is_kept);
  std::vector<double> expected(arcs.n, nothing);
  std::vector<double> computed(arcs.n, nothing);
  boost::brandes_betweenness_centrality(part, map_of(expected));
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(apsp::seq, part, computed.data()));
  for (std::size_t v = 0; v < arcs.n; ++v) BOOST_CHECK_CLOSE(computed[v], expected[v], 1e-8);
  BOOST_CHECK_EQUAL(computed[1], nothing);
}

BOOST_AUTO_TEST_CASE(reversed_graphs_and_other_numbers) {
  using graph = numbered_edges<boost::bidirectionalS, int>;
  const auto arcs = random_arcs<int>(20, 60, 11);
  const auto g = build<graph>(arcs);
  const auto backwards = boost::make_reverse_graph(g);
  std::vector<double> expected(arcs.n, nothing);
  std::vector<double> computed(arcs.n, nothing);
  boost::brandes_betweenness_centrality(backwards, map_of(expected));
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(apsp::seq, backwards, computed.data()));
  for (std::size_t v = 0; v < arcs.n; ++v) BOOST_CHECK_CLOSE(computed[v], expected[v], 1e-8);

  // A numbering of the caller's, of a graph that is undirected.
  using undirected = boost::adjacency_list<boost::vecS, boost::listS, boost::undirectedS>;
  undirected path;
  std::map<undirected::vertex_descriptor, std::size_t> number;
  std::map<undirected::vertex_descriptor, double> score;
  undirected::vertex_descriptor last{};
  for (std::size_t v = 0; v < 4; ++v) {
    const auto next = add_vertex(path);
    number[next] = 3 - v;
    if (v > 0) add_edge(last, next, path);
    last = next;
  }
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(
      apsp::seq, path,
      boost::centrality_map(boost::make_assoc_property_map(score))
          .vertex_index_map(boost::make_assoc_property_map(number))));
  for (const auto& [v, i] : number) BOOST_CHECK_EQUAL(score[v], i == 0 || i == 3 ? 0 : 2);
}

BOOST_AUTO_TEST_CASE(weights_may_be_functions_of_edges) {
  struct road {
    double km;
    double speed;
  };
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, road> g(
      4);
  add_edge(0, 1, road{10, 100}, g);
  add_edge(1, 3, road{10, 100}, g);
  add_edge(0, 2, road{5, 20}, g);
  add_edge(2, 3, road{5, 20}, g);
  std::vector<double> scores(4);
  const boost::dummy_property_map unused;
  BOOST_REQUIRE(
      apsp::brandes_betweenness_centrality(apsp::seq, g, scores.data(), unused, &road::km));
  BOOST_CHECK(scores == (std::vector<double>{0.5, 0, 1, 0.5}));
  BOOST_REQUIRE(apsp::brandes_betweenness_centrality(
      apsp::seq, g, scores.data(), unused, [&](const auto& e) { return g[e].km / g[e].speed; }));
  BOOST_CHECK(scores == (std::vector<double>{0.5, 1, 0, 0.5}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(maps_are_untouched_by_calls_without_scores, Policy, policies) {
  using graph = numbered_edges<boost::directedS, int>;
  const auto call = [](const auto& policy, const graph& g, auto& s) {
    return apsp::brandes_betweenness_centrality(policy, g, s.of_vertices(), s.of_edges(),
                                                get(boost::edge_weight, g));
  };
  const auto negative =
      build<graph>(make_graph<int>(4, {{0, 1, 1}, {1, 2, -3}, {2, 1, 2}, {2, 3, 1}}));
  scores<graph> computed(negative, 4);
  BOOST_CHECK(!call(Policy::policy(), negative, computed));
  BOOST_CHECK(computed.are_untouched());
  const auto zero = build<graph>(make_graph<int>(3, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}}));
  check_refused([&] { return call(Policy::policy(), zero, computed); },
                "expected no cycle of length 0");
  BOOST_CHECK(computed.are_untouched());
  const auto any = build<graph>(random_arcs<int>(9, 4, 12));
  BOOST_CHECK(!call(Policy::policy().stop(requested_stop()), any, computed));
  BOOST_CHECK(computed.are_untouched());
  // Weights below 0 without such a cycle; Boost's function refuses them.
  const auto mixed = build<graph>(make_graph<int>(3, {{0, 1, 2}, {1, 2, -1}, {0, 2, 2}}));
  scores<graph> of_mixed(mixed, 3);
  BOOST_REQUIRE(call(Policy::policy(), mixed, of_mixed));
  BOOST_CHECK_EQUAL(get(of_mixed.of_vertices(), 1), 1);
}
