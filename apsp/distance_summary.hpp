// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>

#include "../detail/summary/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "distance_statistics.hpp"
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "vertex_range.hpp"

// Distances summed up and counted without a second matrix. A square matrix is a graph too, so what is
// read from distances and what is computed from a graph have different names: `summarize_distances` and
// `distance_histogram` take a matrix that is solved, `summarize_paths` and `path_length_histogram` a graph.
namespace apsp {

/// A matrix of distances that tells its shape, to be read.
template <class M>
concept distance_matrix =
    has_matrix_shape<const std::remove_cvref_t<M>> && operand_matrix<const std::remove_cvref_t<M>>;

/// The vertices that rows of a distance matrix belong to, by their numbers.
template <class R>
concept vertex_numbers =
    std::ranges::forward_range<const R> && std::integral<std::ranges::range_value_t<const R>>;

/// Eccentricities, sums and inverse sums of the distances in a matrix: what radius, diameter and the
/// kinds of closeness are made of.
///
/// @param policy     `seq` and `omp` read rows where they lie, `omp` several at once. `cuda_*` send them to
///                   the device a piece at a time, which holds no matrix: one CUDA block sums up a row
///                   under `cuda_tiled`, one thread under `cuda_naive`. Types without kernels are summed
///                   up on the host. `progress` counts rows; distances above a `cutoff` are not reached.
/// @param distances  n x n; entry (u, v) is the distance from u to v, or `unreachable`. The diagonal is not
///                   read. In the memory of a device, `float`, `double`, `std::int32_t` or `std::int64_t`: rows
///                   are read where they lie, in the order of the policy's stream.
/// @throws std::invalid_argument if the matrix is not square, or a distance is NaN.
/// @throws device_error if no device can run it and the policy is `required()` or the distances lie in device
///         memory, if device memory does not suffice for a row, or if a CUDA call fails.
/// @return a summary with an entry for each vertex; it is `false` if the call was stopped.
/// Complexity: n^2 entries are read once. Memory: O(n); on the device also 8 MiB, or 8 rows
/// where they are longer.
/// Integers are added up exactly. Floating-point sums have the same bits under `seq` and `omp`, whatever
/// the number of threads; on a device they differ by the order of rounding only.
template <execution_policy Policy, distance_matrix Distances>
auto summarize_distances(const Policy& policy, const Distances& distances) {
  return detail::summarize_matrix(policy, distances, detail::every_vertex{});
}

/// The same for the distances from some vertices.
///
/// @param distances  k x n, row i for source i.
/// @param sources    k numbers of vertices, in the order of the rows. One may come more than once.
/// @throws std::invalid_argument if there are not as many sources as rows, or one is none of the columns.
template <execution_policy Policy, distance_matrix Distances, vertex_numbers Sources>
auto summarize_distances(const Policy& policy, const Distances& distances, const Sources& sources) {
  return detail::summarize_matrix(policy, distances, sources);
}

/// The same of the shortest paths from some vertices of a graph, without any matrix: each row is summed up
/// when it is solved, by the thread that has it.
///
/// Solves as `for_each_row` does, and with the same errors.
/// @tparam Distance  the type of the distances; void: that of the weights.
/// @param policy   under `cuda_*` rows are solved on the device, and summed up on the host.
/// @param sources  any range of vertices: numbers, or what the graph itself calls a vertex.
/// @return a summary with an entry for each source; it is `false` if the graph has a negative cycle, or the
///         call was stopped.
/// Memory: O(n + m), and O(n) for each thread.
/// The same bits as from a matrix of the same distances under `seq` or `omp`.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources>
auto summarize_paths(const Policy& policy, const Graph& graph, Sources&& sources) {
  using distance = std::conditional_t<std::is_void_v<Distance>, weight_type_t<Graph>, Distance>;
  return detail::summarize_graph<distance>(policy, graph, sources);
}

/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph>
auto summarize_paths(const Policy& policy, const Graph& graph) {
  using distance = std::conditional_t<std::is_void_v<Distance>, weight_type_t<Graph>, Distance>;
  return detail::summarize_graph<distance>(policy, graph, detail::every_vertex{});
}

/// How many pairs of different vertices are how far apart, from an n x n matrix of distances.
///
/// Policies, errors and memory are those of `summarize_distances`; the device also holds the bins. All
/// policies count the same.
/// @param bins  `histogram_bins<T>::of_width(first, width, count)` or `::between(edges)`, where T is the
///              type of the distances.
template <execution_policy Policy, distance_matrix Distances>
distance_counts distance_histogram(const Policy& policy, const Distances& distances,
                                   const histogram_bins<matrix_value_t<const Distances>>& bins) {
  return detail::count_matrix(policy, distances, detail::every_vertex{}, bins);
}

/// From a k x n matrix, row i for source i.
template <execution_policy Policy, distance_matrix Distances, vertex_numbers Sources>
distance_counts distance_histogram(const Policy& policy, const Distances& distances,
                                   const Sources& sources,
                                   const histogram_bins<matrix_value_t<const Distances>>& bins) {
  return detail::count_matrix(policy, distances, sources, bins);
}

/// How many pairs of a source and another vertex are how far apart in a graph, without any matrix: each
/// row is counted when it is solved. `unweighted(graph)`, in bins of 1, gives a histogram of hops.
///
/// Solves as `for_each_row` does, and with the same errors.
/// @tparam Distance  the type of the distances, which is that of the bins.
template <class Distance, execution_policy Policy, graph Graph, vertex_range<Graph> Sources>
distance_counts path_length_histogram(const Policy& policy, const Graph& graph, Sources&& sources,
                                      const histogram_bins<Distance>& bins) {
  return detail::count_graph(policy, graph, sources, bins);
}

/// From every vertex.
template <class Distance, execution_policy Policy, graph Graph>
distance_counts path_length_histogram(const Policy& policy, const Graph& graph,
                                      const histogram_bins<Distance>& bins) {
  return detail::count_graph(policy, graph, detail::every_vertex{}, bins);
}

}  // namespace apsp
