// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"

namespace apsp {

/// Shortest distances between all pairs of vertices, by squaring the matrix of weights.
///
/// After s squarings the matrix holds the best paths of up to 2^s edges, so ceil(lg(n - 1)) of them
/// are enough, and one that changes nothing is the last. Where a weight is negative, paths of n edges
/// are looked at, so that every negative cycle shows on the diagonal. All policies multiply tile by
/// tile, but `cuda_naive` runs one thread per entry.
///
/// Everything else is as for `floyd_warshall`, and the distances are the same: bit for bit for
/// integers, but for the rounding of sums for floating point. That algorithm is faster by a factor of
/// about lg n.
///
/// @param distances  n x n; `distances[u][v]` receives the length of a shortest path from u to v, or
///                   `unreachable`. A second matrix is made while the call runs.
/// @throws std::invalid_argument, device_error  as `floyd_warshall` does.
/// @return false, with `negative_cycle()`, when the graph has one, or `stopped()`; `distances` are
///         then unspecified. The policy's `progress` counts n for each squaring.
/// Complexity: n^3 ceil(lg(n - 1)) relaxations; two n x n matrices on the device under `cuda_*`.
/// Source: Cormen, Leiserson, Rivest and Stein, chapter "All-pairs shortest paths"; Moffat and
/// Takaoka 1987.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances) {
  detail::no_predecessors none;
  return detail::repeated_squaring(policy, graph, distances, none);
}

/// The same, with the last hop of every path, as `floyd_warshall` gives it.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances,
                         Predecessors&& predecessors) {
  return detail::repeated_squaring(policy, graph, distances, predecessors);
}

/// Over another semiring, as `floyd_warshall` takes it. Over `or_and` both are `transitive_closure`.
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances,
                         const Semiring& semiring) {
  detail::no_predecessors none;
  return detail::repeated_squaring(policy, graph, distances, none, semiring);
}

/// Over another semiring, with the last hop of every path.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances,
                         Predecessors&& predecessors, const Semiring& semiring) {
  return detail::repeated_squaring(policy, graph, distances, predecessors, semiring);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto repeated_squaring(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
