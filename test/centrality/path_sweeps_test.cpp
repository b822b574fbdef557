// SPDX-License-Identifier: BSL-1.0
// Sweeps over a hierarchy of all shortest paths: on small graphs those of the library's own
// functions, in any order of elimination, compared to sums over all pairs of the shares of counted
// paths; on larger ones those of calls, compared to searches and to Boost's algorithm. Graphs whose
// paths the hierarchy cannot count are left to searches.
#define BOOST_TEST_MODULE path_sweeps
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <apsp/algorithm.hpp>
#include <apsp/betweenness.hpp>
#include <apsp/contraction_hierarchy.hpp>
#include <apsp/count_paths.hpp>
#include <apsp/csr.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/graph.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/result.hpp>
#include <apsp/stop_token.hpp>
#include <apsp/unreachable.hpp>
#include <apsp/weighted.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <detail/centrality/by_hierarchy.hpp>
#include <detail/centrality/call.hpp>
#include <detail/centrality/counted_arcs.hpp>
#include <detail/centrality/host/path_sweeps.hpp>
#include <detail/elimination/minimum_degree.hpp>
#include <detail/graph/adjacency.hpp>
#include <detail/graph/edges.hpp>
#include <detail/host/monitor.hpp>
#include <detail/host/stop_check.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/graphs.hpp"
#include "../common/messages.hpp"
#include "../common/observed_calls.hpp"
#include "../common/oracle.hpp"
#include "../common/policies.hpp"
#include "expected_paths.hpp"

using namespace apsp_test;
namespace detail = apsp::detail;

namespace {

/// Weights of the graphs, of which the weights of other types are multiples.
using number = std::int64_t;
using vertices = std::vector<std::int32_t>;

constexpr double default_tolerance = apsp::betweenness_options{}.tolerance;

/// The arcs of a graph, as a call reads them, and the hierarchy of its shortest paths, if they can
/// be counted on it.
template <class T>
struct path_graph {
  detail::counted_arcs<T> counted;
  detail::arcs_in_code<double> coded;
  std::optional<detail::path_hierarchy> paths;
};

/// @param order  of elimination; empty for one of least degrees.
template <class T>
path_graph<T> prepare(const arc_list<T>& g, const vertices& order = {}, bool merge_parallel = false,
                      int threads = 1, double tolerance = default_tolerance) {
  const auto view = g.view();
  const auto weights = detail::find_weight_range<T>(view, g.n, threads);
  const auto all = detail::make_adjacency<T>(view, g.n, threads);
  path_graph<T> made{{all, detail::positions_of_arcs(view, all, g.size())}, {}, {}};
  if (merge_parallel) detail::merge_parallel_arcs(made.counted);
  BOOST_REQUIRE(detail::has_lengths_in_double(
      g.n, weights, std::is_integral_v<T> ? T{} : static_cast<T>(default_tolerance)));
  made.coded = detail::in_double(made.counted.arcs, weights);
  const auto tree = order.empty()
                        ? detail::minimum_degree_tree(all.offsets, all.targets, {threads})
                        : detail::tree_of_order(all.offsets, all.targets, order, {threads});
  detail::monitor watch{apsp::unobserved{}};
  made.paths = detail::make_path_hierarchy(tree, made.counted.arcs, weights, made.coded.arcs,
                                           std::is_integral_v<T> ? 0 : tolerance, threads, watch);
  return made;
}

vertices numbers_of(const list& sources) {
  vertices numbers;
  for (const std::size_t s : sources) numbers.push_back(static_cast<std::int32_t>(s));
  return numbers;
}

struct scores_of_sweeps {
  detail::sweep_outcome outcome;
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;  ///< In the order of the arcs of the graph.
};

template <class T>
scores_of_sweeps sweep_shares(path_graph<T>& g, std::size_t num_arcs, const list& sources,
                              bool with_ends, int threads = 1) {
  detail::monitor watch{apsp::unobserved{}};
  const std::size_t n = g.counted.arcs.offsets.size() - 1;
  detail::path_shares shares;
  scores_of_sweeps scores;
  scores.outcome =
      detail::host::sweep_shares(*g.paths, numbers_of(sources), with_ends, threads, watch, shares);
  scores.of_vertices.resize(n);
  scores.of_arcs.resize(num_arcs);
  if (scores.outcome != detail::sweep_outcome::finished) return scores;
  std::vector<double> of_arcs(g.coded.arcs.num_edges());
  detail::hand_down_shares(*g.paths, g.coded.arcs, shares, of_arcs, watch);
  for (std::size_t v = 0; v < n; ++v) {
    scores.of_vertices[v] = shares.of_places[static_cast<std::size_t>(g.paths->tree->places[v])];
  }
  for (std::size_t a = 0; a < of_arcs.size(); ++a) {
    scores.of_arcs[g.counted.positions[a]] = of_arcs[a];
  }
  return scores;
}

struct counts_of_sweeps {
  detail::sweep_outcome outcome;
  apsp::matrix<double> lengths;
  apsp::matrix<double> counts;
};

template <class T>
counts_of_sweeps sweep_counts(const path_graph<T>& g, const list& sources, int threads = 1) {
  detail::monitor watch{apsp::unobserved{}};
  const std::size_t n = g.counted.arcs.offsets.size() - 1;
  counts_of_sweeps found{{}, {sources.size(), n, nothing}, {sources.size(), n, nothing}};
  found.outcome =
      detail::host::sweep_counts(*g.paths, numbers_of(sources), threads, watch,
                                 [&](std::size_t row, std::size_t v, double length, double count) {
                                   found.lengths[row][v] = length;
                                   found.counts[row][v] = count;
                                 });
  return found;
}

/// The weights times @p scale.
template <class T>
arc_list<T> scaled(const arc_list<number>& g, double scale) {
  arc_list<T> made{g.n, g.sources, g.targets, {}};
  for (const number w : g.weights) {
    made.weights.push_back(w == apsp::unreachable<number>
                               ? apsp::unreachable<T>
                               : static_cast<T>(static_cast<double>(w) * scale));
  }
  return made;
}

vertices random_order(std::size_t n, random_numbers& random) {
  vertices order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
  return order;
}

/// Vertices of any number, most of them several times.
list many_sources(std::size_t n, random_numbers& random) {
  list sources;
  for (std::size_t k = random.index(150); k > 0; --k) sources.push_back(random.index(n));
  return sources;
}

/// What no path leads through or along has a score of exactly 0.
void check_zeros(const std::vector<double>& got, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == 0) BOOST_REQUIRE_EQUAL(got[i], 0);
  }
}

/// The sum over all pairs of vertices of the mean number of arcs of their shortest paths, and the
/// number of pairs that have one.
struct arcs_of_pairs {
  double sum = 0;
  double num_pairs = 0;
};
/// By the distances of Bellman and Ford.
arcs_of_pairs count_arcs_of_pairs(const arc_list<number>& g) {
  arcs_of_pairs counted;
  constexpr number none = apsp::unreachable<number>;
  for (std::size_t s = 0; s < g.n; ++s) {
    std::vector<number> distances(g.n, none);
    distances[s] = 0;
    const auto for_each_arc = [&](auto f) {
      for (std::size_t k = 0; k < g.size(); ++k) {
        const bool is_arc = g.weights[k] != none && g.from(k) != g.to(k);
        if (is_arc && distances[g.from(k)] != none) f(g.from(k), g.to(k), g.weights[k]);
      }
    };
    for (std::size_t pass = 0; pass < g.n; ++pass) {
      for_each_arc([&](std::size_t u, std::size_t v, number w) {
        distances[v] = std::min(distances[v], distances[u] + w);
      });
    }
    // Paths with one more arc in each step.
    std::vector<long double> count(g.n);
    std::vector<long double> num_arcs(g.n);
    std::vector<long double> ends(g.n);
    ends[s] = 1;
    for (std::size_t length = 0; length < g.n; ++length) {
      std::vector<long double> next(g.n);
      for (std::size_t v = 0; v < g.n; ++v) {
        count[v] += ends[v];
        num_arcs[v] += ends[v] * static_cast<long double>(length);
      }
      for_each_arc([&](std::size_t u, std::size_t v, number w) {
        if (distances[u] + w == distances[v]) next[v] += ends[u];
      });
      ends = next;
    }
    for (std::size_t v = 0; v < g.n; ++v) {
      if (v == s || distances[v] == none) continue;
      counted.sum += static_cast<double>(num_arcs[v] / count[v]);
      counted.num_pairs += 1;
    }
  }
  return counted;
}

double sum_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

/// What sweeps from some sources must find.
struct expected_sweeps {
  const all_paths<number>& paths;
  list sources;
  std::vector<double> of_vertices[2];  ///< Without and with the ends of paths.
  std::vector<double> of_arcs;

  expected_sweeps(const all_paths<number>& all, const list& from) : paths(all), sources(from) {
    apsp::betweenness_options options;
    of_vertices[0] = all.vertex_scores(from, options);
    of_arcs = all.arc_scores(from, options);
    options.endpoints = true;
    of_vertices[1] = all.vertex_scores(from, options);
  }
};

/// @param scale  what the lengths are multiplied by.
void check_counts(const counts_of_sweeps& found, const expected_sweeps& expected, double scale) {
  // Multiples of 1/4 are exact.
  const double rounding = scale == std::floor(4 * scale) / 4 ? 0 : 1e-14;
  BOOST_REQUIRE(found.outcome == detail::sweep_outcome::finished);
  for (std::size_t i = 0; i < expected.sources.size(); ++i) {
    const std::size_t s = expected.sources[i];
    for (std::size_t v = 0; v < found.counts.cols(); ++v) {
      const auto& d = expected.paths.distance(s, v);
      const double count = expected.paths.count(s, v);
      const double length =
          d ? static_cast<double>(*d) * scale : std::numeric_limits<double>::infinity();
      const bool is_length = found.lengths[i][v] == length ||
                             std::abs(found.lengths[i][v] - length) <= rounding * length;
      if (is_length && found.counts[i][v] == count) continue;
      BOOST_ERROR("from " << s << " to " << v << ": " << found.counts[i][v] << " paths of length "
                          << found.lengths[i][v] << ", not " << count << " of length " << length);
      return;
    }
  }
}

/// Checks shares and counts with weights of type T.
template <class T>
void check_sweeps(const arc_list<number>& g, const std::vector<expected_sweeps>& all_expected,
                  double scale, bool merge_parallel, std::uint64_t seed) {
  random_numbers random(seed);
  const auto weighted = scaled<T>(g, scale);
  for (const vertices& order : {vertices{}, random_order(g.n, random)}) {
    auto prepared = prepare(weighted, order, merge_parallel);
    BOOST_REQUIRE(prepared.paths);
    for (const expected_sweeps& expected : all_expected) {
      for (const bool with_ends : {false, true}) {
        const auto scores = sweep_shares(prepared, g.size(), expected.sources, with_ends);
        BOOST_REQUIRE(scores.outcome == detail::sweep_outcome::finished);
        const auto& of_vertices = expected.of_vertices[with_ends ? 1 : 0];
        check_scores(scores.of_vertices, of_vertices, "vertex");
        check_scores(scores.of_arcs, expected.of_arcs, "arc");
        check_zeros(scores.of_vertices, of_vertices);
        check_zeros(scores.of_arcs, expected.of_arcs);
      }
      check_counts(sweep_counts(prepared, expected.sources, 2), expected, scale);
    }
  }
}

/// Checks that the scores of all arcs and vertices add up to the arcs and inner vertices of the
/// paths of all pairs.
void check_sums(const arc_list<number>& g) {
  auto prepared = prepare(g);
  BOOST_REQUIRE(prepared.paths);
  const auto scores = sweep_shares(prepared, g.size(), all_vertices(g.n), false);
  const arcs_of_pairs counted = count_arcs_of_pairs(g);
  const double rounding = 1e-9 * (1 + counted.sum);
  BOOST_CHECK_SMALL(sum_of(scores.of_arcs) - counted.sum, rounding);
  BOOST_CHECK_SMALL(sum_of(scores.of_vertices) - (counted.sum - counted.num_pairs), rounding);
}

/// Checks sweeps with weights of all types that represent the graph.
void check_all_types(const arc_list<number>& g, bool merge_parallel, std::uint64_t seed) {
  random_numbers random(seed);
  const all_paths<number> paths(g, merge_parallel);
  const std::vector<expected_sweeps> expected{{paths, all_vertices(g.n)},
                                              {paths, many_sources(g.n, random)}};
  check_sweeps<std::int32_t>(g, expected, 1, merge_parallel, seed);
  check_sweeps<std::int64_t>(g, expected, 1, merge_parallel, seed);
  // Lengths that do not fit 32 bits.
  check_sweeps<std::int64_t>(g, expected, 0x1p31, merge_parallel, seed);
  const bool has_negative =
      std::any_of(g.weights.begin(), g.weights.end(), [](number w) { return w < 0; });
  if (has_negative) return;
  check_sweeps<double>(g, expected, 0.25, merge_parallel, seed);
  // Lengths that are equal but for their rounding.
  check_sweeps<double>(g, expected, 0.1, merge_parallel, seed);
  check_sweeps<double>(g, expected, 1e-200, merge_parallel, seed);
}

enum class weights { unit, small, zeros, negative, large };

/// A random graph with parallel arcs, self-loops, and arcs that are none.
arc_list<number> some_graph(std::size_t n, weights kind, bool is_undirected,
                            random_numbers& random) {
  std::vector<number> potential(n);
  if (kind == weights::negative) {
    for (number& x : potential) x = random(-9, 9);
  }
  arc_list<number> g{n, {}, {}, {}};
  for (std::size_t k = random.index((is_undirected ? 2 : 4) * n + 1); k > 0; --k) {
    const std::size_t u = random.index(n);
    const std::size_t v = random.index(n);
    // Arcs of weight 0 lead to vertices of larger numbers, so that they form no cycle.
    const bool may_be_zero = kind == weights::zeros && u <= v;
    const number most = kind == weights::unit ? 1 : kind == weights::large ? 1000 : 3;
    const number w = random(may_be_zero ? 0 : 1, most) + potential[u] - potential[v];
    for (int copy = random.chance(0.1) ? 2 : 1; copy > 0; --copy) {
      g.add(u, v, w);
      if (is_undirected) g.add(v, u, w);
    }
    if (random.chance(0.02)) g.add(u, v, apsp::unreachable<number>);
  }
  return g;
}

/// A grid that is undirected.
/// @param most  weights are whole numbers up to this.
arc_list<number> grid(std::size_t width, std::size_t height, number most, std::uint64_t seed = 1) {
  random_numbers random(seed);
  arc_list<number> g{width * height, {}, {}, {}};
  for (std::size_t v = 0; v < g.n; ++v) {
    if (v % width + 1 < width) g.add_undirected(v, v + 1, random(1, most));
    if (v + width < g.n) g.add_undirected(v, v + width, random(1, most));
  }
  return g;
}

arc_list<number> complete_bipartite(std::size_t a, std::size_t b) {
  arc_list<number> g{a + b, {}, {}, {}};
  for (std::size_t u = 0; u < a; ++u) {
    for (std::size_t v = 0; v < b; ++v) g.add_undirected(u, a + v, 1);
  }
  return g;
}

}  // namespace

// --- Sweeps on small graphs ----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(sweeps_over_random_graphs_count_all_paths) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    random_numbers random(seed);
    const std::size_t n = seed % 16 == 15 ? 40 : 1 + random.index(12);
    const auto kind = static_cast<weights>(seed % 5);
    const bool can_be_undirected = kind != weights::zeros && kind != weights::negative;
    const auto g = some_graph(n, kind, can_be_undirected && seed % 2 == 0, random);
    BOOST_TEST_CONTEXT("seed " << seed) {
      check_all_types(g, seed % 3 == 2, seed);
      check_sums(g);
    }
  }
}

BOOST_AUTO_TEST_CASE(sweeps_over_regular_graphs_count_all_paths) {
  std::vector<std::pair<std::string, arc_list<number>>> graphs;
  for (const std::size_t n : {1, 2, 7, 50}) {
    graphs.emplace_back("no arcs", arc_list<number>{n, {}, {}, {}});
    arc_list<number> star{n, {}, {}, {}};
    arc_list<number> path{n, {}, {}, {}};
    arc_list<number> binary_tree{n, {}, {}, {}};
    for (std::size_t v = 1; v < n; ++v) {
      star.add_undirected(0, v, 1);
      path.add_undirected(v - 1, v, 1);
      binary_tree.add_undirected(v / 2, v, 2);
    }
    graphs.emplace_back("star", star);
    graphs.emplace_back("path", path);
    graphs.emplace_back("binary tree", binary_tree);
  }
  for (const std::size_t n : {3, 10, 17}) {
    graphs.emplace_back("ring", to_arcs<number>(ring_graph<int>(n, ring_kind::both_ways, 1, 1)));
    graphs.emplace_back("ring, one way",
                        to_arcs<number>(ring_graph<int>(n, ring_kind::directed, 1, 1)));
    graphs.emplace_back("complete", to_arcs<number>(complete_graph<int>(n, 1, 1)));
    graphs.emplace_back("complete, two weights", to_arcs<number>(complete_graph<int>(n, 2, 2)));
  }
  graphs.emplace_back("grid", grid(7, 7, 1));
  graphs.emplace_back("grid, two weights", grid(9, 5, 2));
  graphs.emplace_back("bipartite", complete_bipartite(4, 9));
  graphs.emplace_back("diamonds", diamonds<number>(14));
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const auto& [name, g] = graphs[i];
    BOOST_TEST_CONTEXT(name << " of " << g.n << " vertices") {
      check_all_types(g, false, i);
      check_sums(g);
    }
  }
}

BOOST_AUTO_TEST_CASE(leaves_have_no_betweenness) {
  random_numbers random(5);
  arc_list<number> tree{300, {}, {}, {}};
  std::vector<char> is_inner(tree.n, 0);
  for (std::size_t v = 1; v < tree.n; ++v) {
    const std::size_t parent = random.index(v);
    if (parent != 0 || v > 1) is_inner[parent] = 1;
    tree.add_undirected(parent, v, random(1, 7));
  }
  const auto weighted = scaled<double>(tree, 0.1);
  for (const vertices& order : {vertices{}, random_order(tree.n, random)}) {
    auto prepared = prepare(weighted, order);
    BOOST_REQUIRE(prepared.paths);
    const auto scores = sweep_shares(prepared, tree.size(), all_vertices(tree.n), false, 2);
    for (std::size_t v = 0; v < tree.n; ++v) {
      if (is_inner[v] == 0) BOOST_CHECK_EQUAL(scores.of_vertices[v], 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit_of_sweeps) {
  const std::size_t width = 17;
  const auto g = scaled<double>(grid(width, width, 9), 0.1);
  const auto units = grid(width, width, 1);
  random_numbers random(6);
  list few;
  for (std::size_t v = 0; v < g.n; v += 19) few.push_back(v);
  list many;
  for (std::size_t k = 0; k < 1500; ++k) many.push_back(random.index(g.n));
  const auto check = [&](const auto& graph) {
    auto prepared = prepare(graph);
    for (const list& sources : {few, all_vertices(g.n), many}) {
      const auto scores = sweep_shares(prepared, graph.size(), sources, true);
      const auto counts = sweep_counts(prepared, sources);
      for (const int threads : {1, 2, 3, 5}) {
        auto other = prepare(graph, {}, false, threads);
        const auto again = sweep_shares(other, graph.size(), sources, true, threads);
        BOOST_CHECK(again.of_vertices == scores.of_vertices);
        BOOST_CHECK(again.of_arcs == scores.of_arcs);
        const auto recounted = sweep_counts(other, sources, threads);
        BOOST_CHECK(recounted.lengths == counts.lengths);
        BOOST_CHECK(recounted.counts == counts.counts);
      }
    }
  };
  check(g);
  check(units);
}

BOOST_AUTO_TEST_CASE(sweeps_stop) {
  const auto g = grid(20, 20, 3);
  auto prepared = prepare(g);
  const vertices sources = numbers_of(all_vertices(g.n));
  const apsp::observer stopped = detail::stop_of(apsp::seq.stop(requested_stop()));
  detail::monitor watch(stopped);
  detail::path_shares shares;
  BOOST_CHECK(detail::host::sweep_shares(*prepared.paths, sources, false, 2, watch, shares) ==
              detail::sweep_outcome::stopped);
  std::size_t num_put = 0;
  const auto put = [&](std::size_t, std::size_t, double, double) { ++num_put; };
  BOOST_CHECK(detail::host::sweep_counts(*prepared.paths, sources, 1, watch, put) ==
              detail::sweep_outcome::stopped);
  BOOST_CHECK_EQUAL(num_put, 0u);
  const auto weights = detail::find_weight_range<number>(g.view(), g.n, 1);
  BOOST_CHECK_THROW(detail::make_path_hierarchy(prepared.paths->tree, prepared.counted.arcs,
                                                weights, prepared.coded.arcs, 0, 2, watch),
                    detail::host::stop_seen);
}

// --- Graphs that the hierarchy leaves to searches ------------------------------------------------

namespace {

/// Checks that the paths are not counted in any order of elimination.
template <class T>
void check_not_counted(const arc_list<T>& g, double tolerance = default_tolerance) {
  random_numbers random(g.n);
  for (int trial = 0; trial < 8; ++trial) {
    const vertices order = trial == 0 ? vertices{} : random_order(g.n, random);
    BOOST_CHECK(!prepare(g, order, false, 1, tolerance).paths);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(cycles_of_length_0_are_not_counted) {
  const auto check = [](const arc_list<number>& g) {
    check_not_counted(g);
    check_not_counted(converted<int>(g));
    check_not_counted(scaled<std::int64_t>(g, 0x1p31));
  };
  check(make_graph<number>(2, {{0, 1, 0}, {1, 0, 0}}));
  check(make_graph<number>(4, {{0, 1, 1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}));
  check(make_graph<number>(4, {{0, 1, 1}, {1, 2, -2}, {2, 1, 2}, {2, 3, 1}}));
  check(make_graph<number>(3, {{0, 1, -2}, {1, 2, 3}, {2, 0, -1}}));
  check(make_graph<number>(6, {{5, 0, 1}, {0, 4, 1}, {4, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
  arc_list<number> ring{20, {}, {}, {}};
  for (std::size_t v = 0; v < ring.n; ++v) ring.add(v, (v + 1) % ring.n, v % 2 == 0 ? 3 : -3);
  check(ring);
  auto large = grid(8, 8, 5);
  for (const auto& [u, v] :
       {std::pair{9, 10}, std::pair{10, 18}, std::pair{18, 17}, std::pair{17, 9}})
    large.add(static_cast<std::size_t>(u), static_cast<std::size_t>(v), 0);
  check(large);
  // Self-loops are on no path.
  auto with_loop = grid(4, 4, 5);
  with_loop.add(3, 3, 0);
  BOOST_CHECK(prepare(with_loop).paths);
}

BOOST_AUTO_TEST_CASE(cycles_that_the_tolerance_hides_are_not_counted) {
  const auto graph_with = [](double weight, std::size_t length) {
    auto g = scaled<double>(grid(6, 6, 5), 1);
    for (std::size_t i = 0; i < length; ++i) g.add(i, (i + 1) % length, weight);
    return g;
  };
  for (const std::size_t length : {2, 3, 5}) {
    check_not_counted(graph_with(0, length));
    check_not_counted(graph_with(1e-14, length));
    check_not_counted(graph_with(1e-12, length));
    BOOST_CHECK(prepare(graph_with(1e-6, length)).paths);
    check_not_counted(graph_with(1e-6, length), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(more_paths_than_a_double_divides_are_not_counted) {
  // In some orders an arc of the hierarchy stands for too many paths, and in others only a sweep
  // meets them.
  random_numbers random(3);
  for (const std::size_t length : {900, 1000, 1020, 1030}) {
    const auto g = diamonds<int>(length);
    vertices from_the_end(g.n);
    std::iota(from_the_end.rbegin(), from_the_end.rend(), 0);
    for (const vertices& order : {vertices{}, from_the_end}) {
      auto prepared = prepare(g, order);
      const bool has_too_many = length > 900;
      if (!prepared.paths) {
        BOOST_CHECK(has_too_many);
        continue;
      }
      const auto scores = sweep_shares(prepared, g.size(), list{0}, false);
      const auto counts = sweep_counts(prepared, list{0});
      const auto expected =
          has_too_many ? detail::sweep_outcome::not_possible : detail::sweep_outcome::finished;
      BOOST_CHECK(scores.outcome == expected);
      BOOST_CHECK(counts.outcome == expected);
      if (has_too_many) continue;
      BOOST_CHECK_EQUAL(counts.counts[0][3 * length], std::ldexp(1.0, static_cast<int>(length)));
      for (std::size_t k = 0; k < length; ++k) {
        const auto behind = static_cast<double>(3 * (length - k) - 2);
        BOOST_CHECK_CLOSE(scores.of_vertices[3 * k + 1], behind / 2, 1e-9);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(lengths_that_may_not_fit_are_not_counted) {
  const auto g = scaled<std::int32_t>(grid(6, 6, 5), 0x1p28);
  check_not_counted(g);
  const auto fits = scaled<std::int64_t>(grid(6, 6, 5), 0x1p28);
  BOOST_CHECK(prepare(fits).paths);
  // Nor those that `double` does not tell apart.
  detail::weight_range<std::int64_t> weights;
  weights.smallest = 1;
  weights.largest = std::int64_t{1} << 50;
  BOOST_CHECK(detail::has_lengths_in_double(1, weights, std::int64_t{}));
  BOOST_CHECK(!detail::has_lengths_in_double(2, weights, std::int64_t{}));
  weights.largest = 1;
  weights.smallest = -(std::int64_t{1} << 50);
  BOOST_CHECK(!detail::has_lengths_in_double(2, weights, std::int64_t{}));
  detail::weight_range<double> of_double;
  of_double.smallest = 0;
  of_double.largest = 1e200;
  BOOST_CHECK(detail::has_lengths_in_double(1000, of_double, default_tolerance));
  // Sweeps compare lengths of parts of paths, whose differences a large tolerance may not hide.
  BOOST_CHECK(!detail::has_lengths_in_double(1000, of_double, 1e-6));
  of_double.smallest = -1;
  BOOST_CHECK(!detail::has_lengths_in_double(1000, of_double, default_tolerance));
}

// --- Calls ---------------------------------------------------------------------------------------

namespace {

/// With sanitizers.
bool are_small() {
  return std::getenv("APSP_TEST_SMALL") != nullptr;
}

/// A cutoff beyond all distances, for which calls search.
constexpr double far = 1e9;

/// A prepared graph, for which sweeps are predicted to be faster; its arcs are in the order of
/// their sources.
template <class T>
apsp::contraction_hierarchy<T> prepared(const arc_list<T>& g) {
  return apsp::contraction_hierarchy<T>(apsp::seq, g.view());
}

/// True if a call(policy) sweeps. It reports each of its batches of up to 32 sources then, where
/// rows of distances by elimination are reported up to 4096 at a time.
template <class Policy, class Call>
bool sweeps(const Policy& policy, Call call) {
  std::size_t num_reports = 0;
  const auto done = call(policy.progress([&](std::size_t, std::size_t) { ++num_reports; }));
  BOOST_REQUIRE(done);
  return num_reports > 1 && done.algorithm() == apsp::algorithm::elimination;
}

struct scores_of_call {
  std::vector<double> of_vertices;
  std::vector<double> of_arcs;
  bool are_by_sweeps;
};

/// @param graph  has the vertices and arcs of @p g.
template <class T, class Policy, class Graph>
scores_of_call scores_of(const Policy& policy, const arc_list<T>& g, const Graph& graph,
                         const list& sources, const apsp::betweenness_options& options = {}) {
  scores_of_call scores{std::vector<double>(g.n, nothing), std::vector<double>(g.size(), nothing),
                        false};
  scores.are_by_sweeps = sweeps(policy, [&](const auto& with) {
    return apsp::betweenness(with, graph, sources, scores.of_vertices, scores.of_arcs, options);
  });
  return scores;
}
/// From all vertices.
template <class T, class Policy, class Graph>
scores_of_call scores_of(const Policy& policy, const arc_list<T>& g, const Graph& graph,
                         const apsp::betweenness_options& options = {}) {
  return scores_of(policy, g, graph, all_vertices(g.n), options);
}

void check_same(const scores_of_call& got, const scores_of_call& expected) {
  check_scores(got.of_vertices, expected.of_vertices, "vertex", 1e-11);
  check_scores(got.of_arcs, expected.of_arcs, "arc", 1e-11);
}
void check_by_sweeps(const scores_of_call& got, const scores_of_call& expected) {
  BOOST_CHECK(got.are_by_sweeps);
  check_same(got, expected);
}
void check_by_searches(const scores_of_call& got, const scores_of_call& expected) {
  BOOST_CHECK(!got.are_by_sweeps);
  check_same(got, expected);
}

/// Checks all ways to compute the scores from all vertices.
/// @param g  arcs in the order of their sources, without self-loops.
template <class T>
void check_calls(const arc_list<T>& g, const scores_of_call& expected) {
  const auto policy = apsp::omp.threads(2);
  check_same(scores_of(policy, g, g.view()), expected);
  check_by_searches(scores_of(policy.cutoff(far), g, g.view()), expected);
  const auto swept = scores_of(policy, g, prepared(g));
  // A hierarchy of `float` has none of the lengths in `double`, so that an order is searched for.
  BOOST_CHECK(swept.are_by_sweeps || (std::is_same_v<T, float>));
  check_same(swept, expected);
}
void check_calls_of_all_types(const arc_list<number>& g, const scores_of_call& expected) {
  check_calls(converted<std::int32_t>(g), expected);
  check_calls(g, expected);
  check_calls(converted<float>(g), expected);
  check_calls(scaled<double>(g, 0.1), expected);
}

scores_of_call scores_by_boost(const arc_list<number>& g) {
  const auto [of_vertices, of_arcs] = boost_scores<boost::directedS>(g);
  return {of_vertices, of_arcs, false};
}

arc_list<number> in_order(const arc_list<number>& g) {
  return to_arcs<number>(in_rows(g));
}

/// Roads of which some are one-way, and others do not take as long in both directions.
arc_list<number> directed_roads(std::size_t n, number most) {
  random_numbers random(n);
  const auto roads = to_arcs<number>(road_graph<int>(n, 9, 4));
  arc_list<number> g{n, {}, {}, {}};
  for (std::size_t k = 0; k < roads.size(); ++k) {
    if (!random.chance(0.05)) g.add(roads.from(k), roads.to(k), random(1, most));
  }
  return g;
}

}  // namespace

BOOST_AUTO_TEST_CASE(scores_of_grids_are_those_of_boost) {
  const std::size_t width = are_small() ? 14 : 30;
  const auto units = in_order(grid(width, width, 1));
  const auto expected = scores_by_boost(units);
  check_by_sweeps(scores_of(apsp::seq, units, prepared(units)), expected);
  check_by_searches(scores_of(apsp::seq.cutoff(far), units, units.view()), expected);
  check_same(scores_of(apsp::seq, units, units.view()), expected);
  const auto g = in_order(grid(width, width, 9));
  check_calls_of_all_types(g, scores_by_boost(g));
}

// Without a hierarchy of the caller.
BOOST_AUTO_TEST_CASE(sweeps_are_chosen_for_grids) {
  const auto g = in_order(grid(30, 30, 9));
  check_by_sweeps(scores_of(apsp::seq, g, g.view()), scores_of(apsp::seq.cutoff(far), g, g.view()));
}

BOOST_AUTO_TEST_CASE(scores_of_roads_are_those_of_boost) {
  const std::size_t n = are_small() ? 400 : 2000;
  const auto one_way = directed_roads(n, 20);
  check_calls_of_all_types(one_way, scores_by_boost(one_way));

  const auto both_ways = to_arcs<number>(road_graph<int>(n, 5, 3));
  arc_list<number> edges{n, {}, {}, {}};
  for (std::size_t k = 0; k < both_ways.size(); ++k) {
    if (both_ways.from(k) < both_ways.to(k)) {
      edges.add(both_ways.from(k), both_ways.to(k), both_ways.weights[k]);
    }
  }
  const auto expected = boost_scores<boost::undirectedS>(edges);
  apsp::betweenness_options halved;
  halved.halved = true;
  const auto scores = scores_of(apsp::omp.threads(2), both_ways, prepared(both_ways), halved);
  BOOST_CHECK(scores.are_by_sweeps);
  check_scores(scores.of_vertices, expected.first, "vertex", 1e-11);
  // The score of an edge is that of both arcs.
  std::vector<double> of_edges;
  for (std::size_t k = 0; k < both_ways.size(); ++k) {
    for (std::size_t back = 0; back < both_ways.size() && both_ways.from(k) < both_ways.to(k);
         ++back) {
      if (both_ways.from(back) == both_ways.to(k) && both_ways.to(back) == both_ways.from(k)) {
        of_edges.push_back(scores.of_arcs[k] + scores.of_arcs[back]);
      }
    }
  }
  check_scores(of_edges, expected.second, "edge", 1e-11);
  check_same(scores_of(apsp::seq, both_ways, both_ways.view(), halved), scores);
}

BOOST_AUTO_TEST_CASE(all_options_hold_for_sweeps) {
  const auto roads = with_parallel_arcs(directed_roads(400, 6), 9);
  arc_list<number> without_loops{roads.n, {}, {}, {}};
  for (std::size_t k = 0; k < roads.size(); ++k) {
    if (roads.from(k) != roads.to(k)) {
      without_loops.add(roads.from(k), roads.to(k), roads.weights[k]);
    }
  }
  const auto g = in_order(without_loops);
  const auto hierarchy = prepared(g);
  random_numbers random(8);
  list some;
  for (std::size_t k = 0; k < 300; ++k) some.push_back(random.index(g.n));
  const auto policy = apsp::omp.threads(2);
  for (unsigned bits = 0; bits < 32; ++bits) {
    const auto options = some_options(bits);
    const list sources = bits % 3 == 0 ? all_vertices(g.n) : some;
    BOOST_TEST_CONTEXT("options " << bits) {
      check_by_sweeps(scores_of(policy, g, hierarchy, sources, options),
                      scores_of(policy.cutoff(far), g, hierarchy, sources, options));
    }
  }
}

BOOST_AUTO_TEST_CASE(arcs_are_scored_in_any_order_by_sweeps) {
  // With self-loops and arcs that are none, in the order of the caller.
  auto g = with_parallel_arcs(grid(30, 30, 9), 10);
  g.add(3, 4, apsp::unreachable<number>);
  g.add(0, g.n - 1, 9);
  const auto scores = scores_of(apsp::seq, g, g.view());
  check_by_sweeps(scores, scores_of(apsp::seq.cutoff(far), g, g.view()));
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g.from(k) == g.to(k)) BOOST_CHECK_EQUAL(scores.of_arcs[k], 0);
  }
}

BOOST_AUTO_TEST_CASE(sweeps_count_as_searches_do) {
  const auto check = [](const auto& g, const auto& graph, const list& sources) {
    using T = std::remove_cvref_t<decltype(g.weights.front())>;
    apsp::matrix<T> lengths(sources.size(), g.n);
    apsp::matrix<std::int64_t> counts(sources.size(), g.n);
    BOOST_REQUIRE(
        apsp::count_paths(apsp::omp.threads(2).cutoff(far), g.view(), sources, lengths, counts));
    for (const int threads : {1, 2, 3, 5}) {
      apsp::matrix<T> swept(sources.size(), g.n);
      apsp::matrix<std::int64_t> recounted(sources.size(), g.n);
      const bool are_by_sweeps = sweeps(apsp::omp.threads(threads), [&](const auto& policy) {
        return apsp::count_paths(policy, graph, sources, swept, recounted);
      });
      BOOST_CHECK(are_by_sweeps);
      BOOST_CHECK(counts == recounted);
      std::size_t num_wrong = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t v = 0; v < g.n; ++v) {
          const bool is_right = swept[i][v] == lengths[i][v] ||
                                std::abs(static_cast<double>(swept[i][v] - lengths[i][v])) < 1e-12;
          num_wrong += is_right ? 0 : 1;
        }
      }
      BOOST_CHECK_EQUAL(num_wrong, 0u);
    }
  };
  const auto g = directed_roads(are_small() ? 400 : 1200, 4);
  random_numbers random(11);
  list some;
  for (std::size_t k = 0; k < 300; ++k) some.push_back(random.index(g.n));
  check(g, prepared(g), some);
  const auto reals = scaled<double>(g, 0.1);
  check(reals, prepared(reals), some);
}

BOOST_AUTO_TEST_CASE(paths_of_a_grid_are_binomial_numbers) {
  const std::size_t width = 30;
  const auto g = converted<int>(in_order(grid(width, width, 1)));
  const auto hierarchy = prepared(g);
  apsp::matrix<int> lengths(g.n, g.n);
  apsp::matrix<double> counts(g.n, g.n);
  const bool are_by_sweeps = sweeps(apsp::omp.threads(2), [&](const auto& policy) {
    return apsp::count_paths(policy, hierarchy, all_vertices(g.n), lengths, counts);
  });
  BOOST_CHECK(are_by_sweeps);
  std::vector<std::vector<double>> paths(width, std::vector<double>(width, 1));
  for (std::size_t x = 1; x < width; ++x) {
    for (std::size_t y = 1; y < width; ++y) paths[x][y] = paths[x - 1][y] + paths[x][y - 1];
  }
  std::size_t num_wrong = 0;
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    const auto apart = [](std::size_t a, std::size_t b) { return a < b ? b - a : a - b; };
    const std::size_t x = apart(u % width, v % width);
    const std::size_t y = apart(u / width, v / width);
    const bool is_right = lengths[u][v] == static_cast<int>(x + y) &&
                          std::abs(counts[u][v] - paths[x][y]) <= 1e-14 * paths[x][y];
    num_wrong += is_right ? 0 : 1;
  });
  BOOST_CHECK_EQUAL(num_wrong, 0u);
  // One more than 2^53 of them.
  BOOST_REQUIRE_GT(paths[width - 1][width - 1], 0x1p53);
  apsp::matrix<std::int64_t> integers(g.n, g.n);
  check_refused(
      [&] {
        return apsp::count_paths(apsp::omp.threads(2), hierarchy, all_vertices(g.n), lengths,
                                 integers);
      },
      "does not fit the integers of the result");
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_no_bit_of_calls) {
  const auto g = scaled<double>(directed_roads(600, 9), 0.1);
  const auto hierarchy = prepared(g);
  const auto expected = scores_of(apsp::seq, g, hierarchy);
  for (const int threads : {1, 2, 3, 5}) {
    const auto scores = scores_of(apsp::omp.threads(threads), g, hierarchy);
    BOOST_CHECK(scores.are_by_sweeps);
    BOOST_CHECK(scores.of_vertices == expected.of_vertices);
    BOOST_CHECK(scores.of_arcs == expected.of_arcs);
  }
}

using narrow_and_unsigned = std::tuple<short, unsigned, std::uint64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(other_integers_are_swept, T, narrow_and_unsigned) {
  const auto g = converted<T>(in_order(grid(14, 14, 9)));
  check_by_sweeps(scores_of(apsp::seq, g, prepared(g)),
                  scores_of(apsp::seq.cutoff(1e4), g, g.view()));
}

BOOST_AUTO_TEST_CASE(some_calls_search) {
  const auto g = in_order(grid(16, 16, 9));
  const auto policy = apsp::omp.threads(2);
  const auto expected = scores_of(policy.cutoff(far), g, g.view());
  const auto check = [&](const auto& graph, const apsp::betweenness_options& options) {
    check_by_searches(scores_of(policy, graph, prepared(graph), options), expected);
  };
  check_by_sweeps(scores_of(policy, g, prepared(g)), expected);
  apsp::betweenness_options exact;
  exact.tolerance = 0;
  check(converted<double>(g), exact);
  check(converted<long double>(g), {});
  // Potentials change no path.
  auto negative = converted<double>(g);
  auto integers = g;
  for (std::size_t k = 0; k < g.size(); ++k) {
    const auto shift = static_cast<number>(g.from(k) % 7) - static_cast<number>(g.to(k) % 7);
    integers.weights[k] += shift;
    negative.weights[k] += static_cast<double>(shift);
  }
  check(negative, {});
  check_by_sweeps(scores_of(policy, integers, prepared(integers)), expected);
  // From few sources.
  const list few{3, 4, 3};
  check_by_searches(scores_of(policy, g, prepared(g), few),
                    scores_of(policy.cutoff(far), g, g.view(), few));
}

BOOST_AUTO_TEST_CASE(lengths_that_do_not_fit_are_left_to_searches) {
  const auto g = scaled<std::int32_t>(in_order(grid(12, 12, 4, 2)), 0x1p28);
  const auto hierarchy = prepared(g);
  std::vector<double> scores(g.n);
  std::vector<double> of_arcs(g.size());
  const auto done = apsp::betweenness(apsp::omp.threads(2), hierarchy, scores, of_arcs);
  BOOST_REQUIRE(done);
  BOOST_CHECK(done.saturated());
  const all_paths<std::int32_t> paths(g, false, apsp::unreachable<std::int32_t> - 1);
  check_scores(scores, paths.vertex_scores(all_vertices(g.n), {}), "vertex");
  check_scores(of_arcs, paths.arc_scores(all_vertices(g.n), {}), "arc");

  apsp::matrix<std::int32_t> lengths(g.n, g.n);
  apsp::matrix<int> counts(g.n, g.n);
  const auto counted =
      apsp::count_paths(apsp::omp.threads(2), hierarchy, all_vertices(g.n), lengths, counts);
  BOOST_REQUIRE(counted);
  BOOST_CHECK(counted.saturated());
  std::size_t num_wrong = 0;
  for_each_pair(g.n, [&](std::size_t u, std::size_t v) {
    const auto& d = paths.distance(u, v);
    num_wrong += lengths[u][v] != (d ? *d : number{apsp::unreachable<std::int32_t>}) ? 1 : 0;
    num_wrong += counts[u][v] != paths.count(u, v) ? 1 : 0;
  });
  BOOST_CHECK_EQUAL(num_wrong, 0u);
}

BOOST_AUTO_TEST_CASE(cycles_are_left_to_searches) {
  const auto policy = apsp::omp.threads(2);
  auto g = grid(16, 16, 9);
  g.add(20, 21, 0);
  g.add(21, 37, 0);
  g.add(37, 20, 0);
  std::vector<double> scores(g.n, nothing);
  std::vector<double> of_arcs(g.size(), nothing);
  check_refused([&] { return apsp::betweenness(policy, prepared(g), scores, of_arcs); },
                "expected no cycle of length 0");
  auto negative = grid(16, 16, 9);
  negative.add(20, 21, -20);
  const auto done = apsp::betweenness(policy, prepared(negative), scores);
  BOOST_CHECK(!done);
  check_negative_cycle(negative, done.negative_cycle());
  BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  BOOST_CHECK(of_arcs == std::vector<double>(g.size(), nothing));
  // Searches follow arcs of positive weights only to larger distances.
  arc_list<double> reals{g.n, {}, {}, {}};
  const auto whole = in_order(grid(16, 16, 9));
  for (std::size_t k = 0; k < whole.size(); ++k) {
    const bool is_short = whole.from(k) + whole.to(k) == 41 && whole.from(k) / 2 == 10;
    reals.add(whole.from(k), whole.to(k), is_short ? 1e-14 : static_cast<double>(whole.weights[k]));
  }
  check_by_searches(scores_of(policy, reals, prepared(reals)),
                    scores_of(policy.cutoff(far), reals, reals.view()));
}

BOOST_AUTO_TEST_CASE(more_paths_than_a_double_holds_are_left_to_searches) {
  const std::size_t length = 1030;
  const auto g = diamonds<int>(length);
  const auto hierarchy = prepared(g);
  std::vector<double> scores(g.n);
  BOOST_REQUIRE(apsp::betweenness(apsp::omp.threads(2), hierarchy, scores));
  std::vector<double> expected(g.n);
  for (std::size_t k = 0; k < length; ++k) {
    const auto before = static_cast<double>(3 * k + 1);
    const auto behind = static_cast<double>(3 * (length - k) - 2);
    expected[3 * k + 1] = expected[3 * k + 2] = before * behind / 2;
    expected[3 * k] = (before - 1) * (behind + 2);
  }
  check_scores(scores, expected, "vertex");

  list sources;
  for (std::size_t v = 0; v < g.n; v += 3) sources.push_back(v);
  apsp::matrix<int> lengths(sources.size(), g.n);
  apsp::matrix<double> counts(sources.size(), g.n);
  BOOST_REQUIRE(apsp::count_paths(apsp::omp.threads(2), hierarchy, sources, lengths, counts));
  std::size_t num_wrong = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t k = 0; k <= length; ++k) {
      const double count = k < i ? 0 : std::ldexp(1.0, static_cast<int>(k - i));
      num_wrong += counts[i][3 * k] != count ? 1 : 0;
    }
  }
  BOOST_CHECK_EQUAL(num_wrong, 0u);
}

// --- Observation ---------------------------------------------------------------------------------

using observed_policies = std::tuple<seq, omp_3_threads>;
BOOST_AUTO_TEST_CASE_TEMPLATE(sweeps_report_sources_and_stop, Policy, observed_policies) {
  const auto g = in_order(grid(20, 20, 9));
  const auto hierarchy = prepared(g);
  random_numbers random(12);
  list sources;
  for (std::size_t k = 0; k < 700; ++k) sources.push_back(random.index(g.n));
  std::vector<double> scores(g.n, nothing);
  std::vector<double> of_arcs(g.size(), nothing);
  apsp::matrix<number> lengths(sources.size(), g.n);
  apsp::matrix<int> counts(sources.size(), g.n);
  const auto score = [&](const auto& policy) {
    return apsp::betweenness(policy, hierarchy, sources, scores, of_arcs);
  };
  const auto count = [&](const auto& policy) {
    return apsp::count_paths(policy, hierarchy, sources, lengths, counts);
  };
  check_stops_between(Policy::policy(), sources.size(), score);
  check_throwing_callback(Policy::policy(), score);
  check_stopped_before(Policy::policy(), score);
  BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  BOOST_CHECK(of_arcs == std::vector<double>(g.size(), nothing));
  check_stops_between(Policy::policy(), sources.size(), count);
  check_throwing_callback(Policy::policy(), count);
  check_watched_and_stopped(Policy::policy(), sources.size(), score);
  check_watched_and_stopped(Policy::policy(), sources.size(), count);
  BOOST_CHECK(sweeps(Policy::policy(), score));
  BOOST_CHECK(sweeps(Policy::policy(), count));
}

// The weight function requests the stop, whichever time it is called, so that what follows sees it.
BOOST_AUTO_TEST_CASE(calls_stop_while_a_hierarchy_is_made) {
  const auto g = grid(20, 20, 9);
  std::size_t num_reads = 0;
  std::size_t last_read = 0;
  apsp::stop_source source;
  const auto graph = apsp::weighted(g.view(), [&](const apsp::edge& e) {
    if (++num_reads == last_read) source.request_stop();
    return g.weights[e.index];
  });
  std::vector<double> scores(g.n, nothing);
  BOOST_REQUIRE(apsp::betweenness(apsp::seq, graph, scores));
  const std::size_t reads_of_call = num_reads;
  BOOST_REQUIRE_GE(reads_of_call, g.size());
  scores.assign(g.n, nothing);
  for (const std::size_t divisor : {100, 10, 3, 2, 1}) {
    source = {};
    num_reads = 0;
    last_read = reads_of_call / divisor;
    const auto done = apsp::betweenness(apsp::seq.stop(source.get_token()), graph, scores);
    BOOST_CHECK(done.stopped());
    BOOST_CHECK(scores == std::vector<double>(g.n, nothing));
  }
}
