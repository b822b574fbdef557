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

/// Shortest distances between all pairs of vertices, by Floyd–Warshall.
///
/// Under `seq`, `omp` and `cuda_tiled`, the matrix is relaxed tile by tile; under `cuda_naive`, one
/// kernel runs per pivot. Of parallel edges the lightest counts, an edge of weight `unreachable` is
/// ignored, and the distance of a vertex from itself is 0.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress`
///                   counts pivots, several at a time. Its `cutoff` makes entries above it
///                   `unreachable` at the end, and saves no work. With `checkpoint` and `resume`,
///                   another process can go on with the solve.
/// @param graph      n vertices; weights of any sign, converted to the distance type. Under
///                   `cuda_*`, the graph and `distances` may be in device memory; see
///                   device_graph.hpp and device_matrix.hpp. Weights in device memory must have the
///                   distance type, and results there are ready in the order of the policy's
///                   stream.
/// @param distances  n x n; `distances[u][v]` receives the length of a shortest path from u to v,
///                   or `unreachable`. A matrix with contiguous rows (or columns) is relaxed in
///                   place; any other kind of matrix needs a second matrix during the call.
/// @param over       a semiring that declares `is_idempotent` and `cycles_never_improve`, or
///                   `min_plus`; others do not compile. See below.
/// @throws std::invalid_argument if `distances` is not n x n, a vertex is out of range, or a weight
///         is NaN, minus infinity or not representable in the distance type; nothing is written
///         then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @throws file_error if a checkpoint cannot be read or written.
/// @throws any exception of the policy's progress callback; `distances` are then unspecified.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, or with `stopped()`;
///         `distances` are then unspecified. A cycle of floating-point weights counts as negative
///         only if it is negative by more than the rounding error.
/// Complexity: n^3 relaxations; one n x n matrix on the device under `cuda_*`.
/// Integers never wrap: a wider type is used internally unless every distance provably fits, and a
/// distance that does not fit becomes `unreachable`, with `saturated()` true. Floating-point values
/// overflow to infinity.
///
/// Over another semiring, for widest paths, most reliable paths and others, `distances[u][v]`
/// receives the sum (`plus`) over the paths from u to v of the product (`times`) of their edges:
/// `zero` if there is no path, and `one` on the diagonal. Minus infinity is an ordinary weight
/// there, and a weight that the semiring does not admit throws std::invalid_argument. The semirings
/// of the library have kernels for float, double, `std::int32_t` and `std::int64_t`. A user-defined
/// semiring runs under `cuda_*` if it declares `has_cuda_kernels` and one .cu file of the program
/// instantiates its kernels: see apsp/cuda_kernels.cuh. Over `or_and` it is `transitive_closure`,
/// on bits, and `algorithm()` reports it: `distances` must be a `bit_matrix`, or a matrix whose
/// entries can be converted from bool; the graph needs no weights.
/// Sources: Floyd 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003; semirings after
/// Lehmann 1977, widest paths after Pollack 1960.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances,
                      const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::floyd_warshall(policy, graph, distances, none, over);
}

/// As above, and also stores the predecessors. The semiring must declare `is_selective`, and must
/// not be `or_and`: use `unweighted(graph)` over `min_plus` to obtain paths there.
///
/// @param predecessors  n x n of an integer type; `predecessors[u][v]` receives the vertex before v
///                      on a shortest path from u, or `no_predecessor` if v is u or unreachable.
///                      Each row is a tree, even if cycles of weight 0 exist; `path` follows it.
///                      Under a `cutoff`, a vertex beyond it keeps its predecessor if, because of
///                      negative weights, the path to a closer vertex passes through it.
/// @throws std::invalid_argument as above, and if `predecessors` is not n x n or its type is too
///         narrow for n.
/// Complexity: as above; a second n x n matrix, of 32-bit integers, under `cuda_*`.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result floyd_warshall(const Policy& policy, const Graph& graph, Distances&& distances,
                      Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::floyd_warshall(policy, graph, distances, predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result floyd_warshall(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::none, Policy, Graph, Arguments...>();
}

}  // namespace apsp::inline v1
