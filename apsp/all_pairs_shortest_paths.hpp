// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/all_pairs/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"

namespace apsp {

/// Shortest distances between all pairs of vertices, by the algorithm that is expected to be
/// fastest for the graph, the type of the distances and the policy; `algorithm()` of the result
/// says which one ran.
///
/// A dense graph, or one of few vertices, is solved by Floyd–Warshall. A sparse one is solved from
/// each vertex: by Johnson's algorithm if a weight is negative; else by Dijkstra's under `seq` and
/// `omp`, and by Bellman–Ford under `cuda_tiled`. Under `cuda_naive` it is always Floyd–Warshall.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`.
/// @param graph      n vertices; weights of any sign, converted to the type of the distances. It
///                   may be the matrix `distances` itself. Under `cuda_*` it may lie in device memory,
///                   and so may the results: see device_graph.hpp and device_matrix.hpp. Weights there
///                   are of the type of the distances, and results are ready in the order of the
///                   policy's stream.
/// @param distances  n x n; entry (u, v) receives the length of a shortest path from u to v, or
///                   `unreachable`.
/// @throws std::invalid_argument if a matrix has another shape, an end of an edge is no vertex, or
///         a weight is NaN, minus infinity or no value of the type of the distances. Nothing is
///         written then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device
///         memory, if device memory does not suffice, or if a CUDA call fails.
/// @return false, with `negative_cycle()`, when the graph has one anywhere, or `stopped()`;
///         `distances` are then unspecified. A cycle of floating-point weights is negative if it is
///         so by more than they are rounded.
/// Complexity: that of the algorithm that runs; to choose one, the graph is read once.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, with `saturated()`.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances) {
  detail::no_predecessors none;
  return detail::all_pairs(policy, graph, distances, none);
}

/// The same, with the last hop of every path.
///
/// @param predecessors  n x n of an integer type; entry (u, v) receives the vertex before v on a
///                      shortest path from u, or `no_predecessor` where v is u or unreachable. Each
///                      row is a tree; `path` walks it.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances,
                                Predecessors&& predecessors) {
  return detail::all_pairs(policy, graph, distances, predecessors);
}

/// The best paths between all pairs of vertices over another semiring, as `floyd_warshall` and `dijkstra`
/// take it.
///
/// The choice is the same, as if for weights that are not negative, where the semiring says
/// `is_selective`; otherwise it is always Floyd–Warshall, as under `cuda_*` over a semiring of the user's.
/// Over `or_and` it is `transitive_closure`, on bits.
///
/// @param over  one that says `is_idempotent` and `cycles_never_improve`; others do not compile.
/// @throws as `floyd_warshall` over that semiring does.
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances,
                                const Semiring& over) {
  detail::no_predecessors none;
  return detail::all_pairs(policy, graph, distances, none, over);
}

/// The same, with the last hop of every path, for semirings that say `is_selective`, but not for `or_and`.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances,
                                Predecessors&& predecessors, const Semiring& over) {
  return detail::all_pairs(policy, graph, distances, predecessors, over);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto all_pairs_shortest_paths(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
