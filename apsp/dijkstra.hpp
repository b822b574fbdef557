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

/// Shortest distances from some vertices, or from all, by Dijkstra's algorithm from each of them.
///
/// Under `seq` and `omp` a heap gives the nearest vertex, or a scan where the graph is dense; `omp`
/// shares the sources out to threads. Under `cuda_naive` one thread runs one source, under `cuda_tiled`
/// one block does, whose threads look for the nearest vertex together.
///
/// @param graph      its weights are converted to the type of the distances. Under `cuda_*` it may lie in
///                   device memory, and so may the results: see device_graph.hpp and device_matrix.hpp.
///                   Weights there are of the type of the distances, and results are ready in the order
///                   of the policy's stream.
/// @param sources    any range of vertices: numbers, or what the graph itself calls a vertex. One may
///                   come more than once.
/// @param distances  one row for each source, in their order, and n columns; entry (i, v) receives the
///                   length of a shortest path from source i to v, or `unreachable`.
/// @throws std::invalid_argument if a weight is negative, with its edge; if a matrix has another shape, a
///         source or an end of an edge is no vertex, or a weight is NaN or no value of the type of the
///         distances. Nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device memory,
///         if device memory does not suffice, or if a CUDA call fails.
/// @return `stopped()` if the policy's stop token asked for it; else true.
/// Complexity per source: O((n + m) log n) with a heap, O(n^2 + m) with a scan. Memory: the arcs once
/// more, and O(n) for each thread or, under `cuda_*`, for each source of a batch.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, with `saturated()`.
/// Source: Dijkstra 1959; heaps after Johnson 1977; on a device after Katz and Kider 2008.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources,
                Distances&& distances) {
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::dijkstra, graph, sources, distances, none);
}

/// The same, with the last hop of every path.
///
/// @param predecessors  of the shape of `distances` and an integer type; entry (i, v) receives the vertex
///                      before v on a shortest path from source i, or `no_predecessor` where v is that
///                      source or unreachable. Each row is a tree, which
///                      `path(predecessors, i, source, v)` walks.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
                Predecessors&& predecessors) {
  return detail::per_source_matrix(policy, algorithm::dijkstra, graph, sources, distances,
                                   predecessors);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix(policy, algorithm::dijkstra, graph, sources, distances, none);
}

/// From every vertex, with the last hop of every path.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
  requires(!vertex_range<Distances, Graph>)
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances,
                Predecessors&& predecessors) {
  const detail::every_vertex sources;
  return detail::per_source_matrix(policy, algorithm::dijkstra, graph, sources, distances,
                                   predecessors);
}

/// The same over a semiring: the widest path, the most reliable one, or what the user's own calls best
/// (semiring.hpp). Its value type is that of the distances. Entry (i, v) receives the value of a best path,
/// `zero` where there is none, and `one` where v is the source. With `min_plus` it is the call above.
///
/// An edge of weight `unreachable` is none, here too; parallel edges count as the best; self-loops change
/// nothing. Predecessors are trees, also where cycles have the value `one`. Under a `cutoff`, vertices
/// whose best path is worse than the limit are `zero`.
///
/// It compiles for semirings that say `is_selective` and `cycles_never_improve`. Going on then never
/// improves a path, so the best open vertex is settled, whatever the weights.
///
/// Under `seq` and `omp` a heap gives that vertex. Under `cuda_*` Bellman–Ford runs, and `algorithm()`
/// says so, over `max_min` and `min_max` of `float`, `double`, `int32_t` and `int64_t`, and `max_times` of
/// the first two; over other semirings the call falls back to `omp`.
/// @throws std::invalid_argument if the semiring does not admit a weight, with its edge; and as above,
///         but for negative weights and minus infinity, which are weights like others.
/// Complexity per source: O((n + m) log n). Source: Dijkstra 1959; over semirings Mohri 2002.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
                const Semiring& over) {
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::dijkstra>(policy, graph, sources, distances,
                                                             none, over);
}
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors, semiring Semiring>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
                Predecessors&& predecessors, const Semiring& over) {
  return detail::per_source_matrix_over<algorithm::dijkstra>(policy, graph, sources, distances,
                                                             predecessors, over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances,
                const Semiring& over) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix_over<algorithm::dijkstra>(policy, graph, sources, distances,
                                                             none, over);
}
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
  requires(!vertex_range<Distances, Graph>)
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances,
                Predecessors&& predecessors, const Semiring& over) {
  const detail::every_vertex sources;
  return detail::per_source_matrix_over<algorithm::dijkstra>(policy, graph, sources, distances,
                                                             predecessors, over);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto dijkstra(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
