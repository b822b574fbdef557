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

/// Shortest distances between all pairs of vertices, by Floyd–Warshall.
///
/// Under `seq`, `omp` and `cuda_tiled` the matrix is relaxed tile by tile; under `cuda_naive` one
/// kernel runs per pivot. Parallel edges count as the lightest, an edge of weight `unreachable` as
/// none, and the distance of a vertex from itself is 0.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress` counts
///                   pivots, some at a time. Its `cutoff` makes entries above it `unreachable`
///                   when the rest is done, and saves no work.
/// @param graph      n vertices; weights of any sign, converted to the type of the distances. Under
///                   `cuda_*` it may lie in device memory, and so may `distances`: see device_graph.hpp
///                   and device_matrix.hpp. Weights there are of the type of the distances, and results
///                   are ready in the order of the policy's stream.
/// @param distances  n x n; `distances[u][v]` receives the length of a shortest path from u to v, or
///                   `unreachable`. Rows (or columns) without gaps are relaxed in place; another
///                   kind of matrix costs a second one while the call runs.
/// @throws std::invalid_argument if `distances` is not n x n, a vertex is out of range, or a weight
///         is NaN, minus infinity or no value of the type of the distances; nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device
///         memory, if device memory does not suffice, or if a CUDA call fails.
/// @throws what the policy's progress callback throws; `distances` are then unspecified.
/// @return false, with `negative_cycle()`, when the graph has one, or `stopped()`; `distances` are
///         then unspecified. A cycle of floating-point weights is negative if it is so by more than
///         they are rounded.
/// Complexity: n^3 relaxations; one n x n matrix on the device under `cuda_*`.
/// Integers never wrap: unless it is shown that no distance is too long for the type, a wider one is
/// used inside, and a distance that does not fit becomes `unreachable`, with `saturated()`. Floats
/// overflow to infinity.
/// Source: Floyd 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003.
template <execution_policy Policy, graph Graph, result_matrix Distances>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances) {
  detail::no_predecessors none;
  return detail::floyd_warshall(policy, graph, distances, none);
}

/// The same, with the last hop of every path.
///
/// @param predecessors  n x n of an integer type; `predecessors[u][v]` receives the vertex before v
///                      on a shortest path from u, or `no_predecessor` where v is u or unreachable.
///                      Each row is a tree, also where cycles of weight 0 exist; `path` walks it.
///                      Under a `cutoff`, a vertex beyond it keeps its own where, with negative
///                      weights, the path to a nearer one leads through it.
/// @throws std::invalid_argument as above, and if `predecessors` is not n x n or too narrow for n.
/// Complexity: as above; a second n x n matrix, of 32-bit integers, under `cuda_*`.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances,
                      Predecessors&& predecessors) {
  return detail::floyd_warshall(policy, graph, distances, predecessors);
}

/// The best paths between all pairs of vertices over another semiring: widest, most reliable, ...
///
/// @param distances  n x n of the semiring's values; `distances[u][v]` receives the sum (`plus`) over
///                   the paths from u to v of the product (`times`) of their edges: `zero` where there
///                   is none, and `one` on the diagonal.
/// @param semiring   one that says `is_idempotent` and `cycles_never_improve`; others do not compile.
/// @throws std::invalid_argument as above, and if a weight is none that the semiring admits; minus
///         infinity is a weight as others here.
/// @throws device_error as above. The semirings of the library have kernels for float, double,
///         `std::int32_t` and `std::int64_t`. A semiring of the user's runs under `cuda_*` if it says
///         `has_cuda_kernels`, and one .cu file of the program instantiates them:
///         see apsp/cuda_kernels.cuh.
/// Over `or_and` it is `transitive_closure`, on bits, and `algorithm()` says so: `distances` are a
/// `bit_matrix`, or a matrix of any entries that a bool can be converted to; the graph needs no weights.
/// Complexity: as above. Sources: Lehmann 1977; Pollack 1960 for widest paths.
template <execution_policy Policy, graph Graph, result_matrix Distances, semiring Semiring>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances,
                      const Semiring& semiring) {
  detail::no_predecessors none;
  return detail::floyd_warshall(policy, graph, distances, none, semiring);
}

/// The same, with the last hop of every path, for semirings that say `is_selective`, but not for
/// `or_and`: there `unweighted(graph)` over `min_plus` gives paths.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances,
                      Predecessors&& predecessors, const Semiring& semiring) {
  return detail::floyd_warshall(policy, graph, distances, predecessors, semiring);
}

// What no overload above takes does not compile, with one sentence that says why. Const references match
// no better than the arguments above.
template <class Policy, class Graph, class... Arguments>
auto floyd_warshall(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<Policy, Graph>();
}

}  // namespace apsp
