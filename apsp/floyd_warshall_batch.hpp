// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include "../detail/batch/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"

namespace apsp {

/// Shortest distances between all pairs of vertices of each of many graphs, by Floyd–Warshall: for
/// every i what `floyd_warshall(policy, graphs[i], distances[i])` computes, and faster by orders of
/// magnitude where the graphs are small. Up to 256 vertices, one CUDA block solves a graph under
/// `cuda_*`, and one thread under `omp`; larger graphs are solved by calls of their own.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress`
///                   counts graphs. When its `stop` asks for it, the results of the graphs not done
///                   by then are `stopped()`.
/// @param graphs     `std::size(graphs)` graphs of one type, of any sizes: a vector, a span, an
///                   array. Under `omp` and `cuda_*` several threads read, each a graph of its own.
/// @param distances  as many matrices of one type; `distances[i]` is n x n where `graphs[i]` has n
///                   vertices. It may begin where a dense graph of the range does.
/// @throws std::invalid_argument if there are not as many matrices as graphs, if two matrices lie
///         in the same memory, or where the single call throws it; then the message names the first
///         such graph. All graphs are checked before anything is written.
/// @throws device_error if the policy is `required()` and no device is usable, if device memory
///         does not suffice, or if a CUDA call fails.
/// @throws what the policy's progress callback throws; all `distances` are then unspecified.
/// @return a result for each graph, as of the single call.
/// Complexity: the sum of n^3 relaxations; some MiB on the device for the graphs up to 256
/// vertices.
/// Source: Floyd 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003.
template <execution_policy Policy, range_of_graphs Graphs, range_of_matrices Distances>
[[nodiscard]] std::vector<result> floyd_warshall(const Policy& policy, const Graphs& graphs,
                                                 Distances&& distances) {
  return detail::floyd_warshall_batch(policy, graphs, distances);
}

}  // namespace apsp
