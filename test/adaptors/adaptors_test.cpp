// SPDX-License-Identifier: BSL-1.0
// Tests of the graph adaptors that need no other library: CSR, edge lists, adjacency lists, dense
// matrices, weighted views, and a user-defined graph type.
#define BOOST_TEST_MODULE adaptors
#include <boost/test/unit_test.hpp>

#include <apsp/adjacency_lists.hpp>
#include <apsp/bit_matrix.hpp>
#include <apsp/csr.hpp>
#include <apsp/dense.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <apsp/transitive_closure.hpp>
#include <apsp/weighted.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../common/graphs.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"

using namespace apsp_test;

namespace {

using character_types = std::tuple<char, wchar_t, char8_t, char16_t>;

// A user-defined graph type that provides only what the documentation requires.
struct ring_of_towns {
  std::size_t towns;
};

/// The arrays of a graph in compressed sparse rows, of any types.
template <class Offset, class Target, class T>
struct typed_rows {
  std::vector<Offset> offsets;
  std::vector<Target> targets;
  std::vector<T> weights;
};
template <class Offset, class Target, class T>
typed_rows<Offset, Target, T> to_csr(const arc_list<T>& g) {
  const auto rows = in_rows(g);
  const auto cast = []<class To>(const auto& numbers, To) {
    std::vector<To> all;
    for (const auto x : numbers) all.push_back(static_cast<To>(x));
    return all;
  };
  return {cast(rows.offsets, Offset{}), cast(rows.targets, Target{}), rows.weights};
}

template <class Policy, class T, class Graph>
void check_graph(const arc_list<T>& expected, const Graph& graph) {
  apsp::matrix<T> d(expected.n);
  BOOST_REQUIRE(apsp::floyd_warshall(Policy::policy(), graph, d));
  check_distances(expected, d);
}

}  // namespace

template <>
struct apsp::graph_adaptor<ring_of_towns> {
  using weight_type = float;
  static std::size_t num_vertices(const ring_of_towns& g) { return g.towns; }
  template <class F>
  static void for_each_edge(const ring_of_towns& g, F f) {
    for (std::size_t u = 0; u < g.towns; ++u) f(u, (u + 1) % g.towns, 2.5f);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(compressed_sparse_rows, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  const auto g = random_graph<T>(80, 0.1, 1, 99, 3);
  const auto a = to_csr<std::int32_t, std::int32_t>(g);
  check_graph<Policy>(g, apsp::csr_view(a.offsets, a.targets, a.weights));
  const auto b = to_csr<std::int64_t, std::int64_t>(g);
  check_graph<Policy>(g, apsp::csr_view(b.offsets, b.targets, b.weights));
  const auto c = to_csr<std::uint64_t, std::uint32_t>(g);
  check_graph<Policy>(g, apsp::csr_view(c.offsets, c.targets, c.weights));
  const auto d = to_csr<std::size_t, std::uint8_t>(g);
  check_graph<Policy>(g, apsp::csr_view(d.offsets, d.targets, d.weights));
}

// Character types are integers, but the comparison functions of the standard library reject them.
BOOST_AUTO_TEST_CASE_TEMPLATE(characters, T, character_types) {
  const std::vector<T> offsets{0, 2, 3, 3}, targets{1, 2, 2}, weights{3, 9, 4};
  const apsp::csr_view g(offsets, targets, weights);
  apsp::matrix<T> d(3), p(3);
  BOOST_REQUIRE(apsp::floyd_warshall(apsp::seq, g, d, p));
  BOOST_CHECK(d[0][2] == T{7} && d[2][0] == apsp::unreachable<T> && p[0][2] == T{1});
  apsp::matrix<int> wide(3);
  BOOST_REQUIRE(apsp::dijkstra(apsp::seq, g, wide));
  BOOST_CHECK_EQUAL(wide[0][2], 7);
  const std::vector<T> none{1, 2};
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::floyd_warshall(apsp::seq, apsp::csr_view(none, targets, weights), d)),
      std::invalid_argument);
  if constexpr (sizeof(T) == 1) {
    const std::vector<int> heavy{3, 1000, 4};
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(
                          apsp::seq, apsp::csr_view(offsets, targets, heavy), d)),
                      std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(edge_lists, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  const auto g = random_graph<T>(80, 0.1, 1, 99, 4);
  check_graph<Policy>(g, g.view());
  const std::vector<std::int64_t> sources(g.sources.begin(), g.sources.end());
  const std::vector<std::int64_t> targets(g.targets.begin(), g.targets.end());
  check_graph<Policy>(g, apsp::edge_list_view(g.n, sources, targets, g.weights));
  const std::vector<std::uint64_t> unsigned_sources(g.sources.begin(), g.sources.end());
  const std::vector<std::uint64_t> unsigned_targets(g.targets.begin(), g.targets.end());
  check_graph<Policy>(g, apsp::edge_list_view(g.n, unsigned_sources, unsigned_targets, g.weights));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ranges_of_edges, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  const auto g = random_graph<T>(80, 0.1, 1, 99, 4);
  std::vector<std::tuple<int, std::size_t, T>> arcs;
  std::list<std::pair<std::int64_t, unsigned>> ends;
  for (std::size_t k = 0; k < g.size(); ++k) {
    arcs.emplace_back(g.sources[k], g.to(k), g.weights[k]);
    ends.emplace_back(g.sources[k], static_cast<unsigned>(g.targets[k]));
  }
  check_graph<Policy>(g, apsp::edges(g.n, arcs));
  check_graph<Policy>(g, apsp::edges(g.n, std::vector(arcs)));
  check_graph<Policy>(g, apsp::edges(g.n, std::span(arcs)));
  const auto unweighted = apsp::edges(g.n, ends);
  static_assert(!apsp::graph_with_weights<decltype(unweighted)>);
  check_graph<Policy>(
      g, apsp::weighted(unweighted, [&](const apsp::edge& e) { return g.weights[e.index]; }));
  // Members of a struct, member functions, and functions.
  struct road {
    std::int16_t from;
    std::uint64_t to;
    T km;
    std::size_t end() const { return to; }
  };
  std::list<road> roads;
  for (std::size_t k = 0; k < g.size(); ++k) {
    roads.push_back({static_cast<std::int16_t>(g.sources[k]),
                     static_cast<std::uint64_t>(g.targets[k]), g.weights[k]});
  }
  check_graph<Policy>(g, apsp::edges(g.n, roads, &road::from, &road::to, &road::km));
  check_graph<Policy>(g, apsp::edges(
                             g.n, std::list(roads), [](const road& r) { return r.from; },
                             &road::end, [](const road& r) { return r.km; }));
  const auto ways = apsp::edges(g.n, roads, &road::from, &road::end);
  static_assert(!apsp::graph_with_weights<decltype(ways)>);
  check_graph<Policy>(
      g, apsp::weighted(ways, [&](const apsp::edge& e) { return g.weights[e.index]; }));
  const std::vector<std::array<int, 3>> numbers{{0, 1, 5}, {1, 2, 6}};
  check_graph<Policy>(arc_list<T>{3, {0, 1}, {1, 2}, {5, 6}}, apsp::edges(3, numbers));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(adjacency_lists, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  const auto g = random_graph<T>(80, 0.1, 1, 99, 4);
  std::vector<std::vector<std::pair<int, T>>> vectors(g.n);
  std::deque<std::list<std::tuple<std::uint64_t, T>>> lists(g.n);
  std::vector<std::vector<int>> targets(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto u = g.from(k);
    vectors[u].emplace_back(g.targets[k], g.weights[k]);
    lists[u].emplace_back(static_cast<std::uint64_t>(g.targets[k]), g.weights[k]);
    targets[u].push_back(g.targets[k]);
  }
  const std::vector<T> weights = in_rows(g).weights;
  static_assert(apsp::graph_with_out_edges<decltype(vectors)>);
  check_graph<Policy>(g, vectors);
  check_graph<Policy>(g, lists);
  const auto weight = [&](const apsp::edge& e) { return weights[e.index]; };
  const apsp::adjacency_lists_view view(targets);
  check_graph<Policy>(g, apsp::weighted(view, weight));
  check_graph<Policy>(g, apsp::weighted(vectors, weight));
  apsp::matrix<T> hops(g.n), expected(g.n);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), apsp::unweighted(g.view()), expected));
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), apsp::unweighted(view), hops));
  BOOST_CHECK(hops == expected);

  // Members of a struct, member functions, and functions.
  struct road {
    T km;
    std::int16_t to;
    int end() const { return to; }
  };
  std::vector<std::list<road>> roads(g.n);
  for (std::size_t k = 0; k < g.size(); ++k) {
    roads[g.from(k)].push_back({g.weights[k], static_cast<std::int16_t>(g.targets[k])});
  }
  const apsp::adjacency_lists_view by_members(roads, &road::to, &road::km);
  static_assert(apsp::graph_with_out_edges<decltype(by_members)>);
  check_graph<Policy>(g, by_members);
  const apsp::adjacency_lists_view by_functions(roads, &road::end,
                                                [](const road& r) { return r.km; });
  static_assert(!apsp::graph_with_out_edges<decltype(by_functions)>);
  check_graph<Policy>(g, by_functions);
  check_graph<Policy>(g, apsp::reversed(apsp::reversed(by_members)));
  const apsp::adjacency_lists_view ends(roads, &road::to);
  static_assert(!apsp::graph_with_weights<decltype(ends)>);
  BOOST_REQUIRE(apsp::dijkstra(Policy::policy(), apsp::unweighted(ends), hops));
  BOOST_CHECK(hops == expected);

  // Several graphs, and a matrix.
  std::vector<apsp::matrix<T>> together(2, apsp::matrix<T>(g.n));
  const std::vector graphs{vectors, vectors};
  static_assert(apsp::range_of_graphs<decltype(graphs)> && !apsp::graph<decltype(graphs)>);
  for (const auto& done : apsp::floyd_warshall(Policy::policy(), graphs, together)) {
    BOOST_CHECK(done);
  }
  check_distances(g, together[1]);
  const std::vector<std::vector<T>> matrix{{0, 3}, {4, 0}};
  check_graph<Policy>(arc_list<T>{2, {0, 1}, {1, 0}, {3, 4}}, matrix);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dense_matrices, With, policies_and_weights) {
  using T = typename With::weight;
  using Policy = typename With::policy_type;
  // A zero is an edge, and the diagonal contains self-loops.
  for (const double p : {0.1, 1.0}) {
    const auto g = random_graph<T>(80, p, 0, 99, 5);
    apsp::matrix<T> m = dense_form(g);
    std::vector<std::vector<T>> rows;
    for (std::size_t u = 0; u < g.n; ++u) rows.emplace_back(m[u], m[u] + g.n);
    m[3][3] = rows[3][3] = T{7};
    check_graph<Policy>(g, m);
    check_graph<Policy>(g, rows);
    check_graph<Policy>(g, apsp::dense_view(m));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(other_weights, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 99, 6);
  const auto csr = to_csr<int, int>(g);
  const auto places = apsp::csr_view(csr.offsets, csr.targets);  // without weights

  auto by_index = g;
  const auto sorted = to_csr<int, int>(by_index);
  check_graph<Policy>(
      g, apsp::weighted(places, [&](const apsp::edge& e) { return sorted.weights[e.index]; }));

  arc_list<double> by_ends{g.n, g.sources, g.targets, {}};
  for (std::size_t k = 0; k < g.size(); ++k) {
    by_ends.weights.push_back(1.5 * g.sources[k] + g.targets[k]);
  }
  const auto lengths = [](const apsp::edge& e) {
    return 1.5 * static_cast<double>(e.source) + static_cast<double>(e.target);
  };
  check_graph<Policy>(by_ends, apsp::weighted(places, lengths));
  check_graph<Policy>(by_ends,
                      apsp::weighted(g.view(), lengths));  // the adaptor stores the temporary

  arc_list<int> hops = g;
  for (auto& w : hops.weights) w = 1;
  check_graph<Policy>(hops, apsp::unweighted(places));
  check_graph<Policy>(hops, apsp::unweighted(g.view()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reversed_graphs, Policy, policies) {
  const auto g = random_graph<int>(60, 0.1, 1, 99, 7);
  auto turned = g;
  std::swap(turned.sources, turned.targets);
  check_graph<Policy>(turned, apsp::reversed(g.view()));
  check_graph<Policy>(g, apsp::reversed(apsp::reversed(g.view())));
  const auto by_index = [&](const apsp::edge& e) { return g.weights[e.index]; };
  check_graph<Policy>(turned, apsp::reversed(apsp::weighted(g.view(), by_index)));
  check_graph<Policy>(turned, apsp::weighted(apsp::reversed(g.view()), by_index));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_graph_of_the_users, Policy, policies) {
  arc_list<float> expected{50, {}, {}, {}};
  for (std::size_t u = 0; u < 50; ++u) expected.add(u, (u + 1) % 50, 2.5f);
  check_graph<Policy>(expected, ring_of_towns{50});
  auto turned = expected;
  std::swap(turned.sources, turned.targets);
  check_graph<Policy>(turned, apsp::reversed(ring_of_towns{50}));
}

// Arcs that differ between two passes over the graph must neither be written past the end of an
// array nor leave a part of it uninitialised.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_number_of_arcs_that_changes_is_refused, Policy, policies) {
  constexpr std::size_t n = 4000;
  constexpr int num_arcs = 1000;
  const std::vector<int> from(num_arcs, 0), to(num_arcs, 1), sources{0};
  // Pass 0 checks the weights. The following passes count and store the arcs.
  constexpr int no_pass = 9;
  struct passes_with_arcs {
    int first;
    int last;
    bool are_refused;
  };
  for (const passes_with_arcs& passes : {passes_with_arcs{no_pass, no_pass, false},
                                         {0, no_pass, false},
                                         {1, no_pass, false},
                                         {2, no_pass, true},
                                         {1, 1, true}}) {
    int calls = 0;
    const auto w = [&](const apsp::edge&) {
      const int pass = calls++ / num_arcs;
      return passes.first <= pass && pass <= passes.last ? 1 : apsp::unreachable<int>;
    };
    const auto g = apsp::weighted(apsp::edge_list_view(n, from, to), w);
    apsp::matrix<int> d(1, n, 42);
    const auto solve = [&] { static_cast<void>(apsp::dijkstra(Policy::policy(), g, sources, d)); };
    if (passes.are_refused) {
      BOOST_CHECK_THROW(solve(), std::invalid_argument);
      for (const int x : d) BOOST_REQUIRE_EQUAL(x, 42);
    } else {
      BOOST_CHECK_NO_THROW(solve());
    }
  }
  int calls = 0;
  const auto w = [&](const apsp::edge&) { return calls++ < num_arcs ? apsp::unreachable<int> : 1; };
  apsp::bit_matrix bits(n);
  BOOST_CHECK_THROW(
      static_cast<void>(apsp::transitive_closure(
          Policy::policy(), apsp::weighted(apsp::edge_list_view(n, from, to), w), bits)),
      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(malformed_graphs_are_refused, Policy, policies) {
  using ints = std::vector<int>;
  const auto refused = [](const auto& graph, std::size_t n) {
    apsp::matrix<int> d(n, n, 42);
    BOOST_CHECK_THROW(static_cast<void>(apsp::floyd_warshall(Policy::policy(), graph, d)),
                      std::invalid_argument);
    for (const int x : d) BOOST_REQUIRE_EQUAL(x, 42);
  };
  const auto csr = [](const ints& offsets, const ints& targets, const ints& weights) {
    return apsp::csr_view(offsets, targets, weights);
  };
  const ints two{0, 1}, one{5}, none;
  const ints decreasing{0, 2, 1, 2}, short_end{0, 1, 1, 1}, long_end{0, 1, 2, 9}, late{1, 1, 1, 2};
  const ints pair{1, 2}, far{1, 7}, below{1, -1};
  refused(csr(decreasing, pair, pair), 3);
  refused(csr(short_end, pair, pair), 3);
  refused(csr(long_end, pair, pair), 3);
  refused(csr(late, pair, pair), 3);
  refused(csr(two, one, none), 1);
  refused(csr(none, pair, pair), 0);
  const ints fine{0, 1, 2, 2};
  refused(csr(fine, far, pair), 3);
  refused(csr(fine, below, pair), 3);
  refused(apsp::edge_list_view(3, pair, one, pair), 3);
  refused(apsp::edge_list_view(3, pair, pair, one), 3);
  refused(apsp::edge_list_view(2, pair, pair, pair), 2);
  refused(apsp::matrix<int>(3, 4), 3);
  refused(std::vector<std::vector<int>>{{0, 1}, {1}}, 2);
  using lists = std::vector<std::vector<std::pair<int, int>>>;
  refused(lists{{{1, 5}}, {{2, 5}}}, 2);
  refused(lists{{{1, 5}}, {{-1, 5}}}, 2);
  using tuples = std::vector<std::tuple<int, int, int>>;
  refused(apsp::edges(2, tuples{{0, 2, 5}}), 2);
  refused(apsp::edges(2, tuples{{-1, 1, 5}}), 2);
}
