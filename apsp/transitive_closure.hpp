// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/bits/calls.hpp"
#include "bit_matrix.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"

namespace apsp {

/// Which vertices a path leads to, for all vertices: the reflexive transitive closure.
///
/// The host condenses a sparse graph to its strongly connected components and unites their rows of
/// bits; a dense one it solves by Warshall's algorithm on tiles of bits, as `cuda_tiled` solves all.
/// Under `cuda_naive` one kernel runs per pivot.
///
/// @param policy  where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress` counts
///                vertices, some at a time. Its `cutoff` means nothing here.
/// @param graph   n vertices. It needs no weights, and those that it has are not looked at, but for an
///                edge of weight `unreachable` or `false`, which is none. In a matrix of weights every
///                other entry is an edge, also 0; in a `bit_matrix` an edge is a bit that is set. The
///                graph may be the matrix `bits` itself.
/// @param bits    n x n; entry (u, v) receives whether a path leads from u to v. The diagonal is true:
///                that is the empty path. A `bit_matrix` is worked on in place; of any other matrix of
///                entries that a bool can be converted to, a copy in bits is made while the call runs.
///                That of a graph in device memory may lie there, too: as a matrix of bool, or of integers of
///                a byte.
/// @throws std::invalid_argument if `bits` is not n x n or a vertex is out of range; nothing is written
///         then.
/// @throws device_error if no device is usable and the policy is `required()` or data lie in device
///         memory, if device memory does not suffice, or if a CUDA call fails.
/// @throws what the policy's progress callback throws; `bits` are then unspecified.
/// @return false only if `stopped()`; `bits` are then unspecified.
/// Complexity: O(n m / 64) operations on words for m arcs, or n^3 / 512 on a dense graph; n^3 / 256 on a
/// device. Memory beyond the output: O(n + m); on a device the bits, and 32 bytes per vertex.
/// Sources: Warshall 1962; Arlazarov, Dinic, Kronrod, Faradzev 1970; Purdom 1970; Nuutila 1995.
template <execution_policy Policy, graph Graph, result_matrix Bits>
result transitive_closure(const Policy& policy, const Graph& graph, Bits&& bits) {
  return detail::transitive_closure(policy, graph, bits);
}

}  // namespace apsp
