// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp {

/// Shortest distances from some vertices, or from all, by Johnson's algorithm: weights may be negative.
///
/// Bellman–Ford finds potentials that leave no weight negative; then the algorithm for such weights runs
/// from each source: Dijkstra's, or under `cuda_*` Bellman–Ford. Rounding
/// never leaves a reweighted edge negative, and distances are added up from the weights of the graph.
/// Without negative weights the first step is left out. Where reweighted edges could leave the range of
/// double, Bellman–Ford runs instead, and `algorithm()` says so.
///
/// @param graph      its weights are converted to the type of the distances. Under `cuda_*` it may lie in
///                   device memory, and so may the results: see device_graph.hpp and device_matrix.hpp.
///                   Weights there are of the type of the distances, and results are ready in the order
///                   of the policy's stream.
/// @param sources    any range of vertices: numbers, or what the graph itself calls a vertex. One may
///                   come more than once.
/// @param distances  one row for each source, in their order, and n columns; entry (i, v) receives the
///                   length of a shortest path from source i to v, or `unreachable`.
/// @throws std::invalid_argument if a matrix has another shape, a source or an end of an edge is no
///         vertex, or a weight is NaN, minus infinity or no value of the type of the distances. Nothing is
///         written then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device memory,
///         if device memory does not suffice, or if a CUDA call fails.
/// @return false, with `negative_cycle()`, when the graph has one anywhere, or `stopped()`; `distances` are
///         then unspecified. A cycle of floating-point weights is negative if it is so by more than they
///         are rounded.
/// Complexity: O(n m) once, on the host, and then that of `dijkstra` per source.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, with `saturated()`.
/// Source: Johnson 1977.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances) {
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::johnson, graph, sources, distances, none);
}

/// The same, with the last hop of every path.
///
/// @param predecessors  of the shape of `distances` and an integer type; entry (i, v) receives the vertex
///                      before v on a shortest path from source i, or `no_predecessor` where v is that
///                      source or unreachable; with a cutoff, a vertex beyond it keeps one where the
///                      path to another leads through it. Each row is a tree, also where cycles of
///                      weight 0 exist, which `path(predecessors, i, source, v)` walks.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
               Predecessors&& predecessors) {
  return detail::per_source_matrix(policy, algorithm::johnson, graph, sources, distances,
                                   predecessors);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result johnson(const Policy& policy, const Graph& graph, Distances&& distances) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::johnson, graph, sources, distances, none);
}

/// From every vertex, with the last hop of every path.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
  requires(!vertex_range<Distances, Graph>)
result johnson(const Policy& policy, const Graph& graph, Distances&& distances,
               Predecessors&& predecessors) {
  const detail::every_vertex sources;
  return detail::per_source_matrix(policy, algorithm::johnson, graph, sources, distances,
                                   predecessors);
}

/// The same over a semiring, which is `min_plus` of the type of the distances: over others there is nothing
/// to reweight, and the call does not compile.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
               const Semiring& over) {
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::johnson>(policy, graph, sources, distances, none,
                                                            over);
}
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors, semiring Semiring>
result johnson(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
               Predecessors&& predecessors, const Semiring& over) {
  return detail::per_source_matrix_over<algorithm::johnson>(policy, graph, sources, distances,
                                                            predecessors, over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result johnson(const Policy& policy, const Graph& graph, Distances&& distances,
               const Semiring& over) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::johnson>(policy, graph, sources, distances, none,
                                                            over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
  requires(!vertex_range<Distances, Graph>)
result johnson(const Policy& policy, const Graph& graph, Distances&& distances,
               Predecessors&& predecessors, const Semiring& over) {
  const detail::every_vertex sources;
  return detail::per_source_matrix_over<algorithm::johnson>(policy, graph, sources, distances,
                                                            predecessors, over);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto johnson(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
