// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/bits/calls.hpp"
#include "bit_matrix.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"

namespace apsp::inline v1 {

/// The reflexive transitive closure: which vertices are reachable from which.
///
/// The host condenses a sparse graph to its strongly connected components and unites their rows of
/// bits; it solves a dense graph by Warshall's algorithm on tiles of bits, as `cuda_tiled` does for
/// every graph. Under `cuda_naive` one kernel runs per pivot.
///
/// @param policy  where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress` counts
///                vertices, several at a time. Its `cutoff` has no effect.
/// @param graph   n vertices. Weights are not needed; if present, they are ignored, except that an
///                edge of weight `unreachable` or `false` is not an edge. In a matrix of weights
///                every other entry is an edge, including 0; in a `bit_matrix` every set bit is an
///                edge. The graph may be the matrix `bits` itself.
/// @param bits    n x n; entry (u, v) receives whether a path leads from u to v. The diagonal is
///                true because of the empty path. A `bit_matrix` is computed in place; for any
///                other matrix, whose entries must be convertible from bool, a copy in bits is made
///                during the call. If the graph is in device memory, `bits` may also be there, as a
///                matrix of bool or of one-byte integers.
/// @throws std::invalid_argument if `bits` is not n x n or a vertex is out of range; nothing is
///         written then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @throws any exception of the policy's progress callback; `bits` are then unspecified.
/// @return false only with `stopped()`; `bits` are then unspecified.
/// Complexity: O(n m / 64) operations on words for m arcs, or n^3 / 512 on a dense graph; n^3 / 256
/// on a device. Memory in addition to the output: O(n + m); on a device the bits, and 32 bytes per
/// vertex.
/// Sources: Warshall 1962; Arlazarov, Dinic, Kronrod, Faradzev 1970; Purdom 1970; Nuutila 1995.
template <execution_policy Policy, graph Graph, result_matrix Bits>
result transitive_closure(const Policy& policy, const Graph& graph, Bits&& bits) {
  return detail::transitive_closure(policy, graph, bits);
}

}  // namespace apsp::inline v1
