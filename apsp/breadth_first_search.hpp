// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some or all vertices of a graph whose arcs all have the same weight,
/// such as `unweighted(graph)`, by breadth-first search from many sources at once.
///
/// Each source of a batch is one bit of the words of a vertex, so one step along an arc serves all
/// of them. On graphs of small diameter, such as social networks and random graphs, this is 10 to
/// 20 times faster than `dijkstra`, if there are many sources.
///
/// @param graph      its weights, converted to the distance type, are equal and not negative. Arcs
///                   of weight `unreachable` and self-loops of nonnegative weight have no effect,
///                   and may have any weight.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
///                   It is the sum of the weights of its arcs, one after another, as in `dijkstra`.
/// @throws std::invalid_argument if a matrix has the wrong shape, a source or an edge endpoint is
///         not a vertex, or a weight is NaN or not representable in the distance type, or if a
///         weight is negative or differs from those before it; the message names the arc and both
///         weights. Nothing is written then.
/// @throws device_error if the policy is `required()`: there are no CUDA kernels, and `cuda_*`
///         falls back to `omp`.
/// @return false with `stopped()` if the policy's stop token requested a stop.
/// Complexity: O(n + m) per source at most; for a batch of 512 sources, O((n + m) L) operations on
/// 64 bytes, where L is the number of steps in which some source reaches a vertex, and O(n log L)
/// per source. Memory: O(n + m), and for each thread O(n log L) bits for each source of a batch.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
/// Source: Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014; Beamer, Asanović,
/// Patterson 2012.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances>
result breadth_first_search(const Policy& policy, const Graph& graph, Sources&& sources,
                            Distances&& distances) {
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::breadth_first_search>(
      policy, graph, sources, distances, none, min_plus<matrix_value_t<Distances>>{});
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type; entry (i, v) receives
///                      the vertex before v on a shortest path from source i, or `no_predecessor`
///                      if v is that source or unreachable. Each row is a tree; `path(predecessors,
///                      i, source, v)` follows it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors>
result breadth_first_search(const Policy& policy, const Graph& graph, Sources&& sources,
                            Distances&& distances, Predecessors&& predecessors) {
  return detail::per_source_matrix<algorithm::breadth_first_search>(
      policy, graph, sources, distances, predecessors, min_plus<matrix_value_t<Distances>>{});
}

/// From a single vertex.
///
/// @param source        its number, or the graph's own vertex descriptor.
/// @param distances     one entry for each of the n vertices: a contiguous range such as
///                      `std::vector` or `std::span`.
/// @param predecessors  the same; `path(predecessors, source, v)` follows them.
/// @throws std::invalid_argument as above, and if a range does not have n entries.
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances>
result breadth_first_search(const Policy& policy, const Graph& graph, const Source& source,
                            Distances&& distances) {
  return detail::single_source<algorithm::breadth_first_search>(
      policy, graph, source, detail::one_row(distances), detail::no_predecessors{},
      min_plus<detail::row_value_t<Distances>>{});
}
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          result_row Predecessors>
result breadth_first_search(const Policy& policy, const Graph& graph, const Source& source,
                            Distances&& distances, Predecessors&& predecessors) {
  return detail::single_source<algorithm::breadth_first_search>(
      policy, graph, source, detail::one_row(distances), detail::one_row(predecessors),
      min_plus<detail::row_value_t<Distances>>{});
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result breadth_first_search(const Policy& policy, const Graph& graph, Distances&& distances) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::breadth_first_search>(
      policy, graph, sources, distances, none, min_plus<matrix_value_t<Distances>>{});
}

/// From every vertex, with predecessors.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
  requires(!vertex_range<Distances, Graph>)
result breadth_first_search(const Policy& policy, const Graph& graph, Distances&& distances,
                            Predecessors&& predecessors) {
  const detail::every_vertex sources;
  return detail::per_source_matrix<algorithm::breadth_first_search>(
      policy, graph, sources, distances, predecessors, min_plus<matrix_value_t<Distances>>{});
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result breadth_first_search(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::list_or_one, Policy, Graph,
                                   Arguments...>();
}

}  // namespace apsp::inline v1
