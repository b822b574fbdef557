// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/all_pairs/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances between all pairs of vertices, by the algorithm expected to be fastest for
/// the graph, the distance type and the policy. `algorithm()` of the result reports which one ran.
///
/// A dense graph, or a graph with few vertices, is solved by Floyd–Warshall. A sparse graph is
/// solved by elimination if that is predicted to be faster, or else from each vertex: by Johnson's
/// algorithm if a weight is negative; otherwise by Dijkstra's algorithm, Bellman–Ford for many
/// vertices at once or, under `seq` and `omp`, breadth-first search. `cuda_naive` always runs
/// Floyd–Warshall. See docs/per_source.md.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`.
/// @param graph      n vertices; weights of any sign, converted to the distance type. It may be the
///                   matrix `distances` itself. Under `cuda_*`, the graph and the results may be in
///                   device memory; see device_graph.hpp and device_matrix.hpp. Weights in device
///                   memory must have the distance type, and results there are ready in the order
///                   of the policy's stream.
/// @param distances  n x n; entry (u, v) receives the length of a shortest path from u to v, or
///                   `unreachable`.
/// @param over       a semiring that declares `is_idempotent` and `cycles_never_improve`, or
///                   `min_plus`; others do not compile. Values are as for `floyd_warshall`.
/// @throws std::invalid_argument if a matrix has the wrong shape, an edge endpoint is not a vertex,
///         or a weight is NaN, minus infinity or not representable in the distance type. Nothing is
///         written then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle anywhere, or with
///         `stopped()`; `distances` are then unspecified. A cycle of floating-point weights counts
///         as negative only if it is negative by more than the rounding error.
/// Complexity: that of the algorithm that runs; choosing it reads the graph once.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
///
/// Over another semiring, the algorithm is chosen as for non-negative weights if the semiring
/// declares `is_selective`. Otherwise, and under `cuda_*` with a user-defined semiring, it is
/// always Floyd–Warshall. Over `or_and` it is `transitive_closure`, on bits. Exceptions are those
/// of `floyd_warshall` over that semiring.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances,
                                const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::all_pairs(policy, graph, distances, none, over);
}

/// As above, and also stores the predecessors. The semiring must declare `is_selective`, and must
/// not be `or_and`.
///
/// @param predecessors  n x n of an integer type; entry (u, v) receives the vertex before v on a
///                      shortest path from u, or `no_predecessor` if v is u or unreachable. Each
///                      row is a tree; `path` follows it.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
  requires(!vertex_range<Distances, Graph>)
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Distances&& distances,
                                Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::all_pairs(policy, graph, distances, predecessors, over);
}

/// From some vertices alone, by the algorithm expected to be fastest for the graph and the number
/// of vertices: breadth-first search, elimination, Bellman–Ford, Dijkstra's algorithm or Johnson's.
///
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
///                   It may not be the graph.
/// @throws std::invalid_argument and device_error as above, and std::invalid_argument if a source
///         is not a vertex.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Sources&& sources,
                                Distances&& distances) {
  detail::no_predecessors none;
  return detail::pairs_from(policy, graph, sources, distances, none);
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors>
result all_pairs_shortest_paths(const Policy& policy, const Graph& graph, Sources&& sources,
                                Distances&& distances, Predecessors&& predecessors) {
  return detail::pairs_from(policy, graph, sources, distances, predecessors);
}

/// The n x n matrix of the shortest distances between all pairs of vertices, by
/// `all_pairs_shortest_paths`.
///
/// @tparam Distance  the distance type; void selects the weight type.
/// @throws unsolved_error if the graph has a negative cycle, the policy's stop token requested a
///         stop, or a distance does not fit the integer type; its `result()` reports which.
///         Otherwise as `all_pairs_shortest_paths`.
template <class Distance = void, execution_policy Policy, graph Graph>
auto distances(const Policy& policy, const Graph& graph) {
  using distance = std::conditional_t<std::is_void_v<Distance>, weight_type_t<Graph>, Distance>;
  return detail::distances_between_all<distance>(policy, graph);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result all_pairs_shortest_paths(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::none, Policy, Graph, Arguments...>();
}

}  // namespace apsp::inline v1
