// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include "../detail/batch/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "padded_matrices.hpp"
#include "policy.hpp"
#include "result.hpp"

namespace apsp::inline v1 {

/// Shortest distances between all pairs of vertices of each of many graphs, by Floyd–Warshall:
/// computes `floyd_warshall(policy, graphs[i], distances[i])` for every i, and is orders of
/// magnitude faster for small graphs. A graph of up to 256 vertices is solved by one CUDA block
/// under `cuda_*` and by one thread under `omp`; each larger graph is solved by a separate call.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress`
///                   counts graphs. If its `stop` token requests a stop, the results of unfinished
///                   graphs are `stopped()`.
/// @param graphs     `std::size(graphs)` graphs of one type and any sizes, in a vector, span or
///                   array, in host memory or, under `cuda_*`, all on one device. Under `omp` and
///                   `cuda_*`, several threads read at once, each from a different graph.
/// @param distances  as many matrices of one type, where the graphs are; `distances[i]` is n x n if
///                   `graphs[i]` has n vertices. In device memory they have the type of the
///                   weights, and are complete in the order of the policy's stream.
///                   `padded_matrices` are matrices in host memory of one size for graphs of up to
///                   that size. They may share memory with dense graphs of the range, which are
///                   then copied.
/// @throws std::invalid_argument if the number of matrices differs from the number of graphs, if
///         two matrices share memory, if a graph has more vertices than padded matrices have rows,
///         or if the single call throws it; the message then names the first such graph. All graphs
///         are checked before anything is written.
/// @throws device_error if the policy is `required()` or the data are in device memory, and no
///         device is usable; if device memory is insufficient, or if a CUDA call fails.
/// @throws any exception of the policy's progress callback; all `distances` are then unspecified.
/// @return one result per graph, as of the single call.
/// Complexity: the sum of n^3 relaxations; some MiB on the device for the graphs of up to 256
/// vertices, in addition to data that are there.
/// Source: Floyd 1962; tiles after Venkataraman, Sahni, Mukhopadhyaya 2003.
template <execution_policy Policy, range_of_graphs Graphs, range_of_matrices Distances>
[[nodiscard]] std::vector<result> floyd_warshall(const Policy& policy, const Graphs& graphs,
                                                 Distances&& distances) {
  return detail::solve_batch<algorithm::floyd_warshall>(policy, graphs, distances);
}

}  // namespace apsp::inline v1
