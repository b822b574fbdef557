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

/// Shortest distances from some or all vertices of a sparse graph, by eliminating its vertices.
///
/// The vertices are eliminated once, in an order that adds few arcs, and arcs that are no shortest
/// paths are dropped. After that, sources are solved in batches, one in each lane of a vector: a
/// sweep along their ancestors in the elimination tree, and one over all vertices. On road networks
/// and meshes this is tens of times faster than a search from each source, if there are many
/// sources. Graphs in which every order adds very many arcs, such as dense and random graphs, are
/// for the other algorithms.
///
/// Weights may be negative; they are not reweighted. If a cycle of floating-point weights is so
/// short that rounding could make it negative, `johnson` runs instead, and `algorithm()` reports
/// it.
///
/// @param graph      its weights are converted to the distance type.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
/// @param over       a semiring that declares `is_selective` and `cycles_never_improve`, or
///                   `min_plus`; others do not compile. See `dijkstra` for what entries then mean.
/// @throws std::invalid_argument if a matrix has the wrong shape, a source or an edge endpoint is
///         not a vertex, or a weight is NaN or not representable in the distance type. Nothing is
///         written then.
/// Under `cuda_*` the host eliminates, and the device sweeps.
///
/// @return false with `negative_cycle()` if the graph has one, reachable from the sources or not,
///         or with `stopped()` if the policy's stop token requested a stop.
/// Complexity: O(sum of d^2) to eliminate, where d is the number of neighbors that a vertex has
/// when it is eliminated; then at most O(n + sum of d) per source. Memory: O(m + sum of d), and
/// O(n) for each source of a batch and each thread.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
/// Source: Carré 1971; Planken, de Weerdt, van der Krogt 2012; Delling, Goldberg, Nowatzyk, Werneck
/// 2013; Dibbelt, Strasser, Wagner 2016.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring = min_plus<matrix_value_t<Distances>>>
result elimination(const Policy& policy, const Graph& graph, Sources&& sources,
                   Distances&& distances, const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::elimination>(policy, graph, sources, distances, none,
                                                           over);
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type; entry (i, v) receives
///                      the vertex before v on a shortest path from source i, or `no_predecessor`
///                      if v is that source or unreachable. Each row is a tree; `path(predecessors,
///                      i, source, v)` follows it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result elimination(const Policy& policy, const Graph& graph, Sources&& sources,
                   Distances&& distances, Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::per_source_matrix<algorithm::elimination>(policy, graph, sources, distances,
                                                           predecessors, over);
}

/// From a single vertex.
///
/// @param source        its number, or the graph's own vertex descriptor.
/// @param distances     one entry for each of the n vertices: a contiguous range such as
///                      `std::vector` or `std::span`, or an array in device memory.
/// @param predecessors  the same; `path(predecessors, source, v)` follows them.
/// @throws std::invalid_argument as above, and if a range does not have n entries.
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result elimination(const Policy& policy, const Graph& graph, const Source& source,
                   Distances&& distances, const Semiring& over = {}) {
  return detail::single_source<algorithm::elimination>(
      policy, graph, source, detail::one_row(distances), detail::no_predecessors{}, over);
}
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          result_row Predecessors, semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result elimination(const Policy& policy, const Graph& graph, const Source& source,
                   Distances&& distances, Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::single_source<algorithm::elimination>(
      policy, graph, source, detail::one_row(distances), detail::one_row(predecessors), over);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result elimination(const Policy& policy, const Graph& graph, Distances&& distances,
                   const Semiring& over = {}) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::elimination>(policy, graph, sources, distances, none,
                                                           over);
}

/// From every vertex, with predecessors.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
  requires(!vertex_range<Distances, Graph>)
result elimination(const Policy& policy, const Graph& graph, Distances&& distances,
                   Predecessors&& predecessors, const Semiring& over = {}) {
  const detail::every_vertex sources;
  return detail::per_source_matrix<algorithm::elimination>(policy, graph, sources, distances,
                                                           predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result elimination(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::list_or_one, Policy, Graph,
                                   Arguments...>();
}

}  // namespace apsp::inline v1
