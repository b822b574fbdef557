// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some or all vertices, by Johnson's algorithm; weights may be negative.
///
/// Bellman–Ford computes potentials that make all weights non-negative; then an algorithm for such
/// weights runs from each source: Dijkstra's algorithm or Bellman–Ford, under `cuda_*` the latter.
/// Rounding never leaves a reweighted edge negative, and distances are summed from the original
/// weights. The first step is skipped if no weight is negative. If reweighted edges could exceed
/// the range of double, Bellman–Ford runs instead, and `algorithm()` reports it. The potentials are
/// those of the graph's `contraction_hierarchy` if it is given in place of the graph, or of one
/// that is made when Bellman–Ford has taken longer than that is predicted to take.
///
/// @param graph      its weights are converted to the distance type. Under `cuda_*`, the graph and
///                   the results may be in device memory; see device_graph.hpp and
///                   device_matrix.hpp. Weights in device memory must have the distance type, and
///                   results there are ready in the order of the policy's stream.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
/// @param over       `min_plus` of the distance type. Other semirings do not compile, because they
///                   cannot be reweighted.
/// @throws std::invalid_argument if a matrix has the wrong shape, a source or an edge endpoint is
///         not a vertex, or a weight is NaN, minus infinity or not representable in the distance
///         type. Nothing is written then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle anywhere, or with
///         `stopped()`; `distances` are then unspecified. A cycle of floating-point weights counts
///         as negative only if it is negative by more than the rounding error.
/// Complexity: O(n m) once, on the host, or that of preparing an elimination where passes over the
/// arcs would take longer, and then that of `dijkstra` per source.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
/// Source: Johnson 1977.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring = min_plus<matrix_value_t<Distances>>>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
               const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::johnson>(policy, graph, sources, distances, none,
                                                       over);
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type; entry (i, v) receives
///                      the vertex before v on a shortest path from source i, or `no_predecessor`
///                      if v is that source or unreachable. With a cutoff, a vertex beyond it keeps
///                      its predecessor if the path to another vertex passes through it. Each row
///                      is a tree, even if cycles of weight 0 exist; `path(predecessors, i, source,
///                      v)` follows it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
               Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::per_source_matrix<algorithm::johnson>(policy, graph, sources, distances,
                                                       predecessors, over);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result johnson(const Policy& policy, const Graph& graph, Distances&& distances,
               const Semiring& over = {}) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::johnson>(policy, graph, sources, distances, none,
                                                       over);
}

/// From every vertex, with predecessors.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
  requires(!vertex_range<Distances, Graph>)
result johnson(const Policy& policy, const Graph& graph, Distances&& distances,
               Predecessors&& predecessors, const Semiring& over = {}) {
  const detail::every_vertex sources;
  return detail::per_source_matrix<algorithm::johnson>(policy, graph, sources, distances,
                                                       predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result johnson(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::list, Policy, Graph, Arguments...>();
}

}  // namespace apsp::inline v1
