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

/// Shortest distances from some vertices, or from all, by Bellman–Ford: weights may be negative.
///
/// Under `seq` and `omp` a queue holds the vertices whose distance has decreased; `omp` shares the sources out
/// to threads. `cuda_naive` solves for one source at a time, in a way that its `relax` setting chooses.
/// `cuda_tiled` solves for many sources at once, which share every read of an arc; for a few, where that is
/// sooner, one after another.
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
/// @return false, with `negative_cycle()`, when a source reaches a negative cycle, or `stopped()`;
///         `distances` are then unspecified. A cycle of floating-point weights is negative if it is so by
///         more than they are rounded; if only rounding makes a cycle look negative, the graph is
///         reweighted, and `algorithm()` is `johnson`.
/// Complexity per source: O(n m), and O(m) for each pass until the last change. Memory as for `dijkstra`.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, with `saturated()`.
/// Source: Bellman 1958, Ford 1956, Moore 1959; on a device after Harish and Narayanan 2007, many sources
/// at once after Okuyama, Ino and Hagihara 2012.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances>
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances) {
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::bellman_ford, graph, sources, distances,
                                   none);
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
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances, Predecessors&& predecessors) {
  return detail::per_source_matrix(policy, algorithm::bellman_ford, graph, sources, distances,
                                   predecessors);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::bellman_ford, graph, sources, distances,
                                   none);
}

/// From every vertex, with the last hop of every path.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
  requires(!vertex_range<Distances, Graph>)
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances,
                    Predecessors&& predecessors) {
  const detail::every_vertex sources;
  return detail::per_source_matrix(policy, algorithm::bellman_ford, graph, sources, distances,
                                   predecessors);
}

/// The same over a semiring, with the meaning that `dijkstra` over it has: for those that say
/// `is_selective` and `cycles_never_improve`, and for `min_plus`.
///
/// @throws std::invalid_argument as `dijkstra` over a semiring does.
/// @return true, or `stopped()`: there are no negative cycles. If the rounding of a semiring of the user's
///         makes a cycle improve paths, Dijkstra runs instead, and `algorithm()` says so.
/// Complexity per source: O(n m), and it ends with the last improvement.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring>
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances, const Semiring& over) {
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::bellman_ford>(policy, graph, sources, distances,
                                                                 none, over);
}
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors, semiring Semiring>
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances, Predecessors&& predecessors, const Semiring& over) {
  return detail::per_source_matrix_over<algorithm::bellman_ford>(policy, graph, sources, distances,
                                                                 predecessors, over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances,
                    const Semiring& over) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::bellman_ford>(policy, graph, sources, distances,
                                                                 none, over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
  requires(!vertex_range<Distances, Graph>)
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances,
                    Predecessors&& predecessors, const Semiring& over) {
  const detail::every_vertex sources;
  return detail::per_source_matrix_over<algorithm::bellman_ford>(policy, graph, sources, distances,
                                                                 predecessors, over);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto bellman_ford(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
