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

/// Shortest distances between all pairs of vertices of each of many graphs whose arcs have the same
/// weight, such as `unweighted` ones: computes
/// `breadth_first_search(policy, graphs[i], distances[i])` for every i.
///
/// On the host, one thread searches from all vertices of a graph of up to 256 vertices at once, and
/// all threads search in a larger graph. Under `cuda_*` all graphs are solved as by
/// `floyd_warshall` for many graphs; `algorithm()` of the results reports it.
///
/// @param policy     where to run: `seq`, `omp`, `cuda_naive` or `cuda_tiled`. Its `progress`
///                   counts graphs. If its `stop` token requests a stop, the results of unfinished
///                   graphs are `stopped()`.
/// @param graphs     `std::size(graphs)` graphs of one type and any sizes, in a vector, span or
///                   array. The weights of a graph are equal and not negative; those of two graphs
///                   may differ. Under `omp` and `cuda_*`, several threads read at once, each from
///                   a different graph.
/// @param distances  as many matrices of one type; `distances[i]` is n x n if `graphs[i]` has n
///                   vertices. `padded_matrices` are matrices of one size for graphs of up to that
///                   size. They may share memory with dense graphs of the range, which are then
///                   copied.
/// @throws std::invalid_argument if the number of matrices differs from the number of graphs, if
///         two matrices share memory, if a graph has more vertices than padded matrices have rows,
///         if weights of a graph are negative or not equal, or if the single call throws it
///         otherwise; the message then names the first such graph. All graphs are checked before
///         anything is written.
/// @throws device_error if the policy is `required()` and no device is usable, if device memory is
///         insufficient, or if a CUDA call fails.
/// @throws any exception of the policy's progress callback; all `distances` are then unspecified.
/// @return one result per graph, as of the single call.
/// Complexity: for a graph of n <= 256 vertices and m arcs O((n + m) L n / 64) operations on words,
/// where L is the number of steps, and O(n^2 log L); for a larger graph that of the single call;
/// under `cuda_*` n^3 relaxations.
/// Source: Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014.
template <execution_policy Policy, range_of_graphs Graphs, range_of_matrices Distances>
[[nodiscard]] std::vector<result> breadth_first_search(const Policy& policy, const Graphs& graphs,
                                                       Distances&& distances) {
  return detail::solve_batch<algorithm::breadth_first_search>(policy, graphs, distances);
}

}  // namespace apsp::inline v1
