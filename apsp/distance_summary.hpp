// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>

#include "../detail/summary/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "distance_statistics.hpp"
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "vertex_range.hpp"

// Summaries and histograms of distances, without a second matrix. A square matrix is also a graph,
// so functions that read distances and functions that compute them from a graph have different
// names: `summarize_distances` and `distance_histogram` take a matrix of distances;
// `summarize_paths` and `path_length_histogram` take a graph.
namespace apsp::inline v1 {

/// A readable matrix of distances with a known shape.
template <class M>
concept distance_matrix =
    has_matrix_shape<const std::remove_cvref_t<M>> && operand_matrix<const std::remove_cvref_t<M>>;

/// The numbers of the vertices to which the rows of a distance matrix belong.
template <class R>
concept vertex_numbers =
    std::ranges::forward_range<const R> && std::integral<std::ranges::range_value_t<const R>>;

/// Eccentricities, sums and inverse sums of the distances in a matrix, from which radius, diameter
/// and the closeness measures follow.
///
/// @param policy     `seq` and `omp` read rows in place, `omp` several at once. `cuda_*` transfer
///                   the rows to the device in batches, so that the device does not hold a whole
///                   matrix: one CUDA block sums a row under `cuda_tiled`, one thread under
///                   `cuda_naive`. Types without kernels are summed on the host. `progress` counts
///                   rows; vertices at distances above a `cutoff` count as unreachable.
/// @param distances  n x n; entry (u, v) is the distance from u to v, or `unreachable`. The
///                   diagonal is not read. In device memory the type must be `float`, `double`,
///                   `std::int32_t` or `std::int64_t`; rows are then read in place, in the order of
///                   the policy's stream.
/// @throws std::invalid_argument if the matrix is not square, or a distance is NaN.
/// @throws device_error if no device can run the call and either the policy is `required()` or the
///         distances are in device memory; if device memory is insufficient for a row; or if a CUDA
///         call fails.
/// @return a summary with one entry per vertex; it is `false` if the call was stopped.
/// Complexity: n^2 entries are read once. Memory: O(n); on the device also 8 MiB, or 8 rows if they
/// are longer.
/// Integer sums are exact. Floating-point sums are bitwise identical under `seq` and `omp`, for any
/// number of threads; on a device they differ only by the order of rounding.
template <execution_policy Policy, distance_matrix Distances>
auto summarize_distances(const Policy& policy, const Distances& distances) {
  return detail::summarize_matrix(policy, distances, detail::every_vertex{});
}

/// As above, for the distances from some vertices.
///
/// @param distances  k x n; row i holds the distances from source i.
/// @param sources    k vertex numbers, in the order of the rows. Duplicates are allowed.
/// @throws std::invalid_argument if the number of sources differs from the number of rows, or a
///         source is not a column number.
template <execution_policy Policy, distance_matrix Distances, vertex_numbers Sources>
auto summarize_distances(const Policy& policy, const Distances& distances, const Sources& sources) {
  return detail::summarize_matrix(policy, distances, sources);
}

/// As above, for the shortest paths from some vertices of a graph, without any matrix: the thread
/// or the device that solves a row also sums it.
///
/// Solves as `for_each_row` does, and throws the same exceptions.
/// @tparam Distance  the distance type; void selects the weight type.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @return a summary with one entry per source; it is `false` if the graph has a negative cycle or
///         the call was stopped.
/// Memory: O(n + m), and O(n) for each thread.
/// Under `seq` and `omp`, results are bitwise identical to those of a matrix of the same distances,
/// except that floating-point sums of `elimination` have another order.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
auto summarize_paths(const Policy& policy, const Graph& graph, Sources&& sources) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::summarize_graph<distance>(policy, graph, sources);
}

/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
auto summarize_paths(const Policy& policy, const Graph& graph) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::summarize_graph<distance>(policy, graph, detail::every_vertex{});
}

// Reports at compile time, in one sentence, why the policy or the graph is not accepted above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
  requires detail::is_misfit<Policy, Graph>
result summarize_paths(const Policy&, const Graph&, const Arguments&...) {
  static_assert(detail::explain_policy_and_graph<Policy, Graph, Arguments...>());
  return {};
}

/// The number of pairs of distinct vertices by distance, from an n x n matrix of distances.
///
/// Policies, exceptions and memory are those of `summarize_distances`; the device also holds the
/// bins. The counts are the same under all policies.
/// @param bins  `histogram_bins<T>::of_width(first, width, count)` or `::between(edges)`, where T
///              is the distance type.
template <execution_policy Policy, distance_matrix Distances>
distance_counts distance_histogram(const Policy& policy, const Distances& distances,
                                   const histogram_bins<matrix_value_t<const Distances>>& bins) {
  return detail::count_matrix(policy, distances, detail::every_vertex{}, bins);
}

/// As above, from a k x n matrix; row i holds the distances from source i.
template <execution_policy Policy, distance_matrix Distances, vertex_numbers Sources>
distance_counts distance_histogram(const Policy& policy, const Distances& distances,
                                   const Sources& sources,
                                   const histogram_bins<matrix_value_t<const Distances>>& bins) {
  return detail::count_matrix(policy, distances, sources, bins);
}

/// The number of pairs of a source and another vertex of a graph by distance, without any matrix:
/// each row is counted as soon as it is solved. `unweighted(graph)` with bins of width 1 gives a
/// histogram of hop counts.
///
/// Solves as `for_each_row` does, and throws the same exceptions.
/// @tparam Distance  the distance type, which is that of the bins.
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

}  // namespace apsp::inline v1
