// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/dense/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"

namespace apsp::inline v1 {

/// Shortest distances between all pairs of vertices, by repeated squaring of the weight matrix.
///
/// After s squarings the matrix holds the best paths of up to 2^s edges, so ceil(lg(n - 1))
/// squarings suffice; the algorithm stops early when a squaring changes nothing. If a weight is
/// negative, paths of up to n edges are considered, so that every negative cycle appears on the
/// diagonal. All policies multiply tile by tile, except that `cuda_naive` runs one thread per
/// entry.
///
/// All else is as for `floyd_warshall`. The distances are the same: exactly for integers, and up to
/// the rounding of sums for floating point. `floyd_warshall` is faster by a factor of about lg n.
///
/// @param distances  n x n; `distances[u][v]` receives the length of a shortest path from u to v,
///                   or `unreachable`. A second matrix is allocated during the call.
/// @param over       a semiring as for `floyd_warshall`. Over `or_and`, both run
///                   `transitive_closure`.
/// @throws std::invalid_argument, device_error  as `floyd_warshall` does.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, or with `stopped()`;
///         `distances` are then unspecified. The policy's `progress` counts n for each squaring.
/// Complexity: n^3 ceil(lg(n - 1)) relaxations; two n x n matrices on the device under `cuda_*`.
/// Source: Cormen, Leiserson, Rivest and Stein, chapter "All-pairs shortest paths"; Moffat and
/// Takaoka 1987.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances,
                         const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::repeated_squaring(policy, graph, distances, none, over);
}

/// As above, and also stores the predecessors, as `floyd_warshall` does.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result repeated_squaring(const Policy& policy, const Graph& graph, Distances&& distances,
                         Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::repeated_squaring(policy, graph, distances, predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result repeated_squaring(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::none, Policy, Graph, Arguments...>();
}

}  // namespace apsp::inline v1
