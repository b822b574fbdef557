// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../adaptors/boost/drop_in.hpp"
#include "../../detail/boost/calls.hpp"
#include "../betweenness.hpp"
#include "../distance_functions.hpp"
#include "../graph.hpp"
#include "../matrix_traits.hpp"
#include "../policy.hpp"
#include "../weighted.hpp"
#include "graph.hpp"

// Boost.Graph's own Floyd–Warshall, Johnson and Brandes functions, with a policy as the first
// parameter. The graph's class needs its own header, such as <apsp/boost/adjacency_list.hpp>.
namespace apsp::inline v1 {

namespace detail::boost_compatible {

template <class X>
struct added<bgl::names::closed_plus<X>> {
  using type = X;
};

/// In place of an index map: the graph's own vertex numbers.
struct own_vertex_numbers {};

// The graph with the vertex numbers that index the caller's matrix.
template <class Graph, class IndexMap>
decltype(auto) numbered(const Graph& g, const IndexMap& index_map) {
  if constexpr (!std::is_same_v<IndexMap, own_vertex_numbers>) {
    return boost_graph(g, index_map);
  } else if constexpr (graph<Graph>) {
    return static_cast<const Graph&>(g);
  } else {
    return boost_graph(g, get(bgl::names::vertex_index_t{}, g));
  }
}

// The property map of the interior weights.
template <class Graph>
auto interior_weights(const Graph& g) {
  static_assert(!graph<Graph> || graph_with_weights<Graph>,
                "apsp: this graph has no interior edge weights; pass weights after the matrix");
  return get(bgl::names::edge_weight_t{}, g);
}

// Boost's loops do not access the rows and columns of vertices hidden by a filtered graph. Calls
// f(square, n, new_numbers) with the part of the matrix that they do access.
template <class Graph, class D, class F>
bool on_visible_part(const Graph& g, D& d, F f) {
  using adaptor = graph_adaptor_t<Graph>;
  adaptor::validate(g);
  const std::size_t n = num_vertices_of(g);
  if constexpr (adaptor::hides_vertices) {
    const std::vector<std::size_t> visible = adaptor::visible_vertices(g);
    std::vector<std::size_t> new_numbers(n);
    std::size_t rows = 0;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      new_numbers[visible[i]] = i;
      rows = std::max(rows, visible[i] + 1);
    }
    require_at_least(d, rows);
    selected_square<D> square(d, visible);
    return f(square, visible.size(), new_numbers);
  } else {
    require_at_least(d, n);
    leading_square<D> square(d, n);
    return f(square, n, nullptr);
  }
}

template <class Policy, class Graph, class D, class WeightMap, class Compare, class Combine,
          class T>
bool solve(const Policy& policy, const Graph& g, D& d, const WeightMap& w,
           const path_algebra<T, Compare, Combine>& algebra) {
  const auto edges = weighted(g, w);
  return on_visible_part(g, d, [&](auto& square, std::size_t n, const auto& new_numbers) {
    floyd_warshall_call call(policy, square, n, algebra);
    if constexpr (graph_adaptor_t<Graph>::hides_vertices) {
      return call.run(renumbered_graph<decltype(edges)>{edges, new_numbers, n});
    } else {
      return call.run(edges);
    }
  });
}

template <class Policy, class Graph, class D, class Compare, class Combine, class T>
bool solve_initialized(const Policy& policy, const Graph& g, D& d,
                       const path_algebra<T, Compare, Combine>& algebra) {
  return on_visible_part(g, d, [&](auto& square, std::size_t n, const auto&) {
    return floyd_warshall_call(policy, square, n, algebra).run_initialized();
  });
}

template <class Policy, class Graph, class D, class WeightMap, class Compare, class Combine,
          class W>
bool solve_johnson(const Policy& policy, const Graph& g, D& d, const WeightMap& w,
                   const path_algebra<W, Compare, Combine>& algebra) {
  const auto edges = weighted(g, w);
  return on_visible_part(g, d, [&](auto& square, std::size_t n, const auto& new_numbers) {
    if constexpr (graph_adaptor_t<Graph>::hides_vertices) {
      const renumbered_graph<std::remove_const_t<decltype(edges)>> visible{edges, new_numbers, n};
      return johnson_call(policy, visible, square, n, algebra).run();
    } else {
      return johnson_call(policy, edges, square, n, algebra).run();
    }
  });
}

// The weight type that a property map, a function or a member gives to a graph.
template <class Graph, class IndexMap, class WeightMap>
using weight_of = weight_type_t<decltype(weighted(
    numbered(std::declval<const Graph&>(), std::declval<const IndexMap&>()),
    std::declval<const WeightMap&>()))>;

// Calls f(v) for each vertex that the graph does not hide, with its number.
template <class Graph, class F>
void for_each_visible(const Graph& g, F f) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (adaptor::hides_vertices) {
    for (const std::size_t v : adaptor::visible_vertices(g)) f(v);
  } else {
    for (std::size_t v = 0; v < num_vertices_of(g); ++v) f(v);
  }
}

// Writes the betweenness of vertices and edges of a graph to property maps.
// @param edges  the same graph with weights.
template <class Policy, class Graph, class Edges, class VertexMap, class EdgeMap>
bool score(const Policy& policy, const Graph& g, const Edges& edges, const VertexMap& of_vertices,
           const EdgeMap& of_edges) {
  using adaptor = graph_adaptor_t<Graph>;
  betweenness_options options;
  options.tolerance = 0;  // Boost.Graph compares sums from the source on.
  options.halved = bgl::has_undirected_edges<Graph>;
  std::vector<double> scores(num_vertices_of(g));
  if constexpr (std::is_same_v<EdgeMap, bgl::no_map>) {
    if (!apsp::betweenness(policy, edges, scores, options)) return false;
  } else {
    using value = bgl::value_of_map<EdgeMap>;
    const auto for_each_edge = [&](auto f) {
      adaptor::for_each_arc(g, [&](const auto&, const auto&, const auto& e) { f(e); });
    };
    std::size_t num_arcs = 0;
    for_each_edge([&](const auto&) { ++num_arcs; });
    std::vector<double> arc_scores(num_arcs);
    if (!apsp::betweenness(policy, edges, scores, arc_scores, options)) return false;
    // An undirected edge is two arcs.
    for_each_edge([&](const auto& e) { bgl::put_value(of_edges, e, value(0)); });
    std::size_t arc = 0;
    for_each_edge(
        [&](const auto& e) { bgl::add_value(of_edges, e, static_cast<value>(arc_scores[arc++])); });
  }
  if constexpr (!std::is_same_v<VertexMap, bgl::no_map>) {
    using value = bgl::value_of_map<VertexMap>;
    const auto vertices = vertices_by_number(g);
    for_each_visible(g, [&](std::size_t v) {
      bgl::put_value(of_vertices, vertices[v], static_cast<value>(scores[v]));
    });
  }
  return true;
}

// Stands for weights of 1.
struct no_weight_map {};

// The same for a graph whose vertices have other numbers, with the weights of a map.
template <class Policy, class Graph, class VertexMap, class EdgeMap, class IndexMap,
          class WeightMap>
bool score_weighted(const Policy& policy, const Graph& g, const VertexMap& of_vertices,
                    const EdgeMap& of_edges, const IndexMap& index_map, const WeightMap& w) {
  const auto& by_number = numbered(g, index_map);
  if constexpr (std::is_same_v<WeightMap, no_weight_map>) {
    return score(policy, by_number, unweighted(by_number), of_vertices, of_edges);
  } else {
    return score(policy, by_number, weighted(by_number, w), of_vertices, of_edges);
  }
}

}  // namespace detail::boost_compatible

/// `boost::floyd_warshall_all_pairs_shortest_paths` with an execution policy: shortest distances
/// between all pairs of vertices, for user-defined comparison and combination.
///
/// With `std::less`, with `boost::closed_plus` or `std::plus`, and with 0 as the empty path, the
/// kernels of `apsp::floyd_warshall` run. Kernels also run over other semirings: with
/// `std::greater` and `apsp::minimum` (`max_min`), `std::less` and `apsp::maximum` (`min_max`),
/// `std::greater` and `std::multiplies` (`max_times`), or `distance_compare<S>` and
/// `distance_combine<S>` (S), if the result equals that of Boost's loop: every weight is better
/// than @p inf, or @p inf itself, and combining it with @p zero changes nothing; see
/// docs/boost_graph.md for details. All other parameters run in a plain loop on host threads, also
/// under `cuda_*`; the loop calls @p compare and @p combine from several threads under every policy
/// except `seq`.
///
/// @param d        n x n or larger, any type with `d[u][v]`, including `T**`; receives the
///                 distances from u to v. Rows and columns are numbered as the vertices in
///                 `boost_graph`; those of vertices hidden by a filtered graph are unchanged.
/// @param w        a property map of weights, or anything else that `weighted` accepts, such as a
///                 function of an edge.
/// @param compare  `compare(x, y)`: distance x is better than y.
/// @param combine  the distance along two concatenated paths.
/// @param inf      the distance that means "no path"; Boost's default is the largest finite number,
///                 also for floating point.
/// @param zero     the distance of a vertex from itself.
/// @throws std::invalid_argument if @p d has a known shape and is too small, a weight is NaN, or
///         the vertex indices are not 0, ..., n - 1.
/// @throws device_error if the policy is `required()`, and no device is usable or there are no
///         kernels for these parameters.
/// @return false if the graph has a negative cycle, that is, a vertex with a distance from itself
///         that is better than @p zero, or if the policy's stop token requested a stop. @p d is
///         then unspecified. With a `cutoff` in the policy, entries that are worse become @p inf.
/// Complexity: n^3 relaxations. Integer sums never wrap: a distance of @p inf or more is @p inf.
template <execution_policy Policy, class Graph, writable_matrix Distances, class WeightMap,
          class Compare, class Combine, class Infinity, class Zero>
bool floyd_warshall_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                             const WeightMap& w, const Compare& compare,
                                             const Combine& combine, const Infinity& inf,
                                             const Zero& zero) {
  namespace compatible = detail::boost_compatible;
  using T = matrix_value_t<Distances>;
  const compatible::path_algebra<T, Compare, Combine> algebra{
      compare, combine, compatible::to_constant<T>(inf), compatible::to_constant<T>(zero)};
  return compatible::solve(policy, compatible::numbered(g, compatible::own_vertex_numbers{}), d, w,
                           algebra);
}

/// As above, with `std::less`, `closed_plus`, the largest value for "no path", and 0.
template <execution_policy Policy, class Graph, writable_matrix Distances,
          detail::bgl::positional WeightMap>
bool floyd_warshall_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                             const WeightMap& w) {
  using T = matrix_value_t<Distances>;
  const T inf = (std::numeric_limits<T>::max)();
  return apsp::floyd_warshall_all_pairs_shortest_paths(
      policy, g, d, w, std::less<T>(), detail::bgl::names::closed_plus<T>(inf), inf, T());
}

/// As above, with the interior edge weights.
template <execution_policy Policy, class Graph, writable_matrix Distances>
bool floyd_warshall_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d) {
  return apsp::floyd_warshall_all_pairs_shortest_paths(
      policy, g, d, detail::boost_compatible::interior_weights(g));
}

/// `boost::floyd_warshall_initialized_all_pairs_shortest_paths` with an execution policy: as above,
/// but @p d itself is the graph. Its entries are the weights of the arcs, or @p inf if there is no
/// arc, and the diagonal is used unchanged; @p g provides only the vertices.
/// A second n x n matrix is allocated during the call.
template <execution_policy Policy, class Graph, writable_matrix Distances, class Compare,
          class Combine, class Infinity, class Zero>
bool floyd_warshall_initialized_all_pairs_shortest_paths(const Policy& policy, const Graph& g,
                                                         Distances&& d, const Compare& compare,
                                                         const Combine& combine,
                                                         const Infinity& inf, const Zero& zero) {
  namespace compatible = detail::boost_compatible;
  using T = matrix_value_t<Distances>;
  const compatible::path_algebra<T, Compare, Combine> algebra{
      compare, combine, compatible::to_constant<T>(inf), compatible::to_constant<T>(zero)};
  return compatible::solve_initialized(
      policy, compatible::numbered(g, compatible::own_vertex_numbers{}), d, algebra);
}

/// As above, with `std::less`, `closed_plus`, the largest value for "no path", and 0.
template <execution_policy Policy, class Graph, writable_matrix Distances>
bool floyd_warshall_initialized_all_pairs_shortest_paths(const Policy& policy, const Graph& g,
                                                         Distances&& d) {
  using T = matrix_value_t<Distances>;
  const T inf = (std::numeric_limits<T>::max)();
  return apsp::floyd_warshall_initialized_all_pairs_shortest_paths(
      policy, g, d, std::less<T>(), detail::bgl::names::closed_plus<T>(inf), inf, T());
}

/// `boost::johnson_all_pairs_shortest_paths` with an execution policy: as above, by the algorithm
/// for sparse graphs.
///
/// With `std::less`, and with `boost::closed_plus` or `std::plus`, the kernels of `apsp::johnson`
/// run. With the comparison and combination of another semiring, as above,
/// `apsp::all_pairs_shortest_paths` runs. Any other comparison or combination runs in the plain
/// Floyd–Warshall loop over numbers of the weight type: the distances are the same if @p zero adds
/// nothing, in n^3 steps.
///
/// @param d     n x n or larger, as above.
/// @param id    a property map of vertex numbers 0, ..., n - 1, which index @p d.
/// @param inf   the distance that means "no path". A path must be better than @p inf to count.
/// @param zero  the distance of a vertex from itself; it is added to every other distance.
/// @throws as above.
/// @return false if the graph has a negative cycle, or the policy's stop token requested a stop. @p
///         d is then unspecified.
/// Complexity: n searches of O(m log n), after one run of Bellman–Ford if a weight is negative.
/// Integer sums never wrap. Rounding never makes a reweighted edge negative; Boost's function
/// throws `negative_edge` if rounding of the potentials of floating-point weights does so.
template <execution_policy Policy, class Graph, writable_matrix Distances, class VertexID,
          class WeightMap, class Compare, class Combine, class Infinity, class Zero>
bool johnson_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                      const VertexID& id, const WeightMap& w,
                                      const Compare& compare, const Combine& combine,
                                      const Infinity& inf, const Zero& zero) {
  namespace compatible = detail::boost_compatible;
  using W = compatible::weight_of<Graph, VertexID, WeightMap>;
  const compatible::path_algebra<W, Compare, Combine> algebra{
      compare, combine, compatible::to_constant<W>(inf), compatible::to_constant<W>(zero)};
  return compatible::solve_johnson(policy, compatible::numbered(g, id), d, w, algebra);
}

/// As above, with `std::less`, `closed_plus`, and the largest weight for "no path".
template <execution_policy Policy, class Graph, writable_matrix Distances, class VertexID,
          class WeightMap, class Zero>
bool johnson_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                      const VertexID& id, const WeightMap& w, const Zero& zero) {
  using W = detail::boost_compatible::weight_of<Graph, VertexID, WeightMap>;
  const W inf = (std::numeric_limits<W>::max)();
  return apsp::johnson_all_pairs_shortest_paths(policy, g, d, id, w, std::less<W>(),
                                                detail::bgl::names::closed_plus<W>(inf), inf, zero);
}

/// As above, with the interior vertex numbers and 0.
template <execution_policy Policy, class Graph, writable_matrix Distances,
          detail::bgl::positional WeightMap>
bool johnson_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                      const WeightMap& w) {
  namespace compatible = detail::boost_compatible;
  using W = compatible::weight_of<Graph, compatible::own_vertex_numbers, WeightMap>;
  const W inf = (std::numeric_limits<W>::max)();
  const std::less<W> compare;
  const detail::bgl::names::closed_plus<W> combine(inf);
  const compatible::path_algebra<W, std::less<W>, detail::bgl::names::closed_plus<W>> algebra{
      compare, combine, inf, W()};
  return compatible::solve_johnson(
      policy, compatible::numbered(g, compatible::own_vertex_numbers{}), d, w, algebra);
}

/// As above, with the interior edge weights.
template <execution_policy Policy, class Graph, writable_matrix Distances>
bool johnson_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d) {
  return apsp::johnson_all_pairs_shortest_paths(policy, g, d,
                                                detail::boost_compatible::interior_weights(g));
}

/// `boost::brandes_betweenness_centrality` with an execution policy: the betweenness of vertices
/// and edges, by `apsp::betweenness`, with the conventions of Boost.Graph: paths do not lead
/// through their ends, parallel edges are on paths of their own, scores of undirected graphs are
/// halved, and two paths are equally long if the sums of their weights from the source on are
/// equal.
///
/// @param centrality           a writable property map of vertices, of a number type; or
///                             `boost::dummy_property_map`, which stands for scores that are not
///                             wanted. Hidden vertices of a filtered graph are left out.
/// @param edge_centrality_map  the same of edges; also readable. A self-loop has score 0.
/// @param weight_map           a property map of weights, or anything else that `weighted` accepts.
///                             Without it, each edge has the length 1, even if the graph has
///                             interior weights.
/// @throws std::invalid_argument as `betweenness` does, such as for a cycle of length 0, which an
///         undirected edge of weight 0 is.
/// @return false if the graph has a negative cycle, or the policy's stop token requested a stop.
///         The maps are untouched then, and if an exception is thrown by the call itself.
/// Complexity: that of `betweenness` with tolerance 0; threads solve for different sources.
template <execution_policy Policy, class Graph, detail::bgl::positional CentralityMap>
bool brandes_betweenness_centrality(const Policy& policy, const Graph& g,
                                    const CentralityMap& centrality) {
  namespace compatible = detail::boost_compatible;
  return compatible::score_weighted(policy, g, centrality, detail::bgl::no_map(),
                                    compatible::own_vertex_numbers{}, compatible::no_weight_map{});
}
template <execution_policy Policy, class Graph, class CentralityMap, class EdgeCentralityMap>
bool brandes_betweenness_centrality(const Policy& policy, const Graph& g,
                                    const CentralityMap& centrality,
                                    const EdgeCentralityMap& edge_centrality_map) {
  namespace compatible = detail::boost_compatible;
  return compatible::score_weighted(policy, g, centrality, edge_centrality_map,
                                    compatible::own_vertex_numbers{}, compatible::no_weight_map{});
}
/// Not a form of Boost's.
template <execution_policy Policy, class Graph, class CentralityMap, class EdgeCentralityMap,
          class WeightMap>
bool brandes_betweenness_centrality(const Policy& policy, const Graph& g,
                                    const CentralityMap& centrality,
                                    const EdgeCentralityMap& edge_centrality_map,
                                    const WeightMap& weight_map) {
  namespace compatible = detail::boost_compatible;
  return compatible::score_weighted(policy, g, centrality, edge_centrality_map,
                                    compatible::own_vertex_numbers{}, weight_map);
}

/// As above, with the vertex numbers of @p vertex_index. Boost's function takes the four maps
/// before it as its memory; they are not used here.
template <execution_policy Policy, class Graph, class CentralityMap, class EdgeCentralityMap,
          class IncomingMap, class DistanceMap, class DependencyMap, class PathCountMap,
          class VertexIndexMap>
bool brandes_betweenness_centrality(
    const Policy& policy, const Graph& g, const CentralityMap& centrality,
    const EdgeCentralityMap& edge_centrality_map, const IncomingMap& /*incoming*/,
    const DistanceMap& /*distance*/, const DependencyMap& /*dependency*/,
    const PathCountMap& /*path_count*/, const VertexIndexMap& vertex_index) {
  namespace compatible = detail::boost_compatible;
  return compatible::score_weighted(policy, g, centrality, edge_centrality_map, vertex_index,
                                    compatible::no_weight_map{});
}
template <execution_policy Policy, class Graph, class CentralityMap, class EdgeCentralityMap,
          class IncomingMap, class DistanceMap, class DependencyMap, class PathCountMap,
          class VertexIndexMap, class WeightMap>
bool brandes_betweenness_centrality(
    const Policy& policy, const Graph& g, const CentralityMap& centrality,
    const EdgeCentralityMap& edge_centrality_map, const IncomingMap& /*incoming*/,
    const DistanceMap& /*distance*/, const DependencyMap& /*dependency*/,
    const PathCountMap& /*path_count*/, const VertexIndexMap& vertex_index,
    const WeightMap& weight_map) {
  return detail::boost_compatible::score_weighted(policy, g, centrality, edge_centrality_map,
                                                  vertex_index, weight_map);
}

#ifndef APSP_WITHOUT_BOOST_NAMED_PARAMETERS

namespace detail::boost_compatible {

// The parameter `weight_map`, or the property map of the interior weights.
template <class Graph, class Parameters>
auto weights_by_name(const Graph& g, const Parameters& given) {
  return bgl::parameter_or(given, bgl::names::edge_weight_t{}, [&] { return interior_weights(g); });
}

// The parameter `vertex_index_map`, or the graph's own numbers.
template <class Parameters>
auto index_map_by_name(const Parameters& given) {
  return bgl::parameter_or(given, bgl::names::vertex_index_t{},
                           [] { return own_vertex_numbers{}; });
}

// Calls f(algebra) with the named parameters, or Boost's defaults.
template <class T, class Parameters, class F>
bool with_named_algebra(const Parameters& given, F f) {
  namespace names = bgl::names;
  using bgl::parameter_or;
  const T inf = to_constant<T>(
      parameter_or(given, names::distance_inf_t{}, [] { return (std::numeric_limits<T>::max)(); }));
  const T zero = to_constant<T>(parameter_or(given, names::distance_zero_t{}, [] { return T{}; }));
  const auto compare =
      parameter_or(given, names::distance_compare_t{}, [] { return std::less<T>{}; });
  const auto combine =
      parameter_or(given, names::distance_combine_t{}, [&] { return names::closed_plus<T>(inf); });
  using algebra = path_algebra<T, std::remove_const_t<decltype(compare)>,
                               std::remove_const_t<decltype(combine)>>;
  return f(algebra{compare, combine, inf, zero});
}

}  // namespace detail::boost_compatible

/// `floyd_warshall_all_pairs_shortest_paths` with named parameters: `weight_map`,
/// `vertex_index_map`, `distance_compare`, `distance_combine`, `distance_inf`, `distance_zero`. The
/// defaults are Boost's: the interior edge weights, `std::less`, `closed_plus(inf)`, the largest
/// value, and 0.
template <execution_policy Policy, class Graph, writable_matrix Distances, class P, class T,
          class R>
bool floyd_warshall_all_pairs_shortest_paths(
    const Policy& policy, const Graph& g, Distances&& d,
    const detail::bgl::names::bgl_named_params<P, T, R>& params) {
  namespace compatible = detail::boost_compatible;
  const auto w = compatible::weights_by_name(g, params);
  return compatible::with_named_algebra<matrix_value_t<Distances>>(
      params, [&](const auto& algebra) {
        const auto index_map = compatible::index_map_by_name(params);
        return compatible::solve(policy, compatible::numbered(g, index_map), d, w, algebra);
      });
}

/// `floyd_warshall_initialized_all_pairs_shortest_paths` with named parameters; `weight_map` is
/// ignored.
template <execution_policy Policy, class Graph, writable_matrix Distances, class P, class T,
          class R>
bool floyd_warshall_initialized_all_pairs_shortest_paths(
    const Policy& policy, const Graph& g, Distances&& d,
    const detail::bgl::names::bgl_named_params<P, T, R>& params) {
  namespace compatible = detail::boost_compatible;
  return compatible::with_named_algebra<matrix_value_t<Distances>>(
      params, [&](const auto& algebra) {
        const auto index_map = compatible::index_map_by_name(params);
        return compatible::solve_initialized(policy, compatible::numbered(g, index_map), d,
                                             algebra);
      });
}

/// `johnson_all_pairs_shortest_paths` with named parameters: `weight_map`, `vertex_index_map`,
/// `distance_compare`, `distance_combine`, `distance_inf`, `distance_zero`. The defaults are
/// Boost's: the interior edge weights, the interior vertex numbers, `std::less`, `closed_plus`, the
/// largest weight, and 0.
template <execution_policy Policy, class Graph, writable_matrix Distances, class P, class T,
          class R>
bool johnson_all_pairs_shortest_paths(const Policy& policy, const Graph& g, Distances&& d,
                                      const detail::bgl::names::bgl_named_params<P, T, R>& params) {
  namespace compatible = detail::boost_compatible;
  const auto w = compatible::weights_by_name(g, params);
  const auto index_map = compatible::index_map_by_name(params);
  using W = compatible::weight_of<Graph, std::remove_const_t<decltype(index_map)>, decltype(w)>;
  return compatible::with_named_algebra<W>(params, [&](const auto& algebra) {
    return compatible::solve_johnson(policy, compatible::numbered(g, index_map), d, w, algebra);
  });
}

/// `brandes_betweenness_centrality` with named parameters: `centrality_map`, `edge_centrality_map`,
/// `vertex_index_map`, `weight_map`. The defaults are Boost's: no scores, the interior vertex
/// numbers, and edges of length 1.
template <execution_policy Policy, class Graph, class P, class T, class R>
bool brandes_betweenness_centrality(const Policy& policy, const Graph& g,
                                    const detail::bgl::names::bgl_named_params<P, T, R>& params) {
  namespace compatible = detail::boost_compatible;
  namespace names = detail::bgl::names;
  using detail::bgl::parameter_or;
  const auto none = [] { return detail::bgl::no_map(); };
  return compatible::score_weighted(
      policy, g, parameter_or(params, names::vertex_centrality_t{}, none),
      parameter_or(params, names::edge_centrality_t{}, none), compatible::index_map_by_name(params),
      parameter_or(params, names::edge_weight_t{}, [] { return compatible::no_weight_map{}; }));
}

#endif

}  // namespace apsp::inline v1
