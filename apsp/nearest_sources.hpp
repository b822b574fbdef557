// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// The nearest of some sources for every vertex, and the distance from it: the Voronoi cells of a
/// graph.
///
/// Runs one search from all sources together: Dijkstra's algorithm, under `cuda_*` Bellman–Ford,
/// and Johnson's algorithm if a weight is negative. On the host one thread searches.
///
/// @param policy     distances above a `cutoff` are `unreachable`.
/// @param graph      in host memory, at most 2^31 - 2 vertices; its weights are converted to the
///                   type of the distances.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors; it
///                   may be empty and have duplicates.
/// @param distances  a contiguous range of n entries in host memory; entry v receives the length of
///                   a shortest path from any source to v, or `unreachable`.
/// @param nearest    the same, of an integer type; entry v receives the source of such a path, or
///                   `no_predecessor` if v is unreachable. Of several nearest sources it is any.
/// @throws std::invalid_argument if a range does not have n entries or shares memory with another,
///         its type cannot hold the vertex numbers, a source or an edge endpoint is not a vertex,
///         or a weight is NaN or not representable in the type of the distances; std::length_error
///         if there are too many vertices. Nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()`, if device memory is
///         insufficient, or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, in which case nothing
///         is written; or false with `stopped()`. `saturated()` if a distance does not fit.
/// Complexity: one search of the algorithm, whatever the number of sources. Memory: O(n + m).
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources, result_row Distances,
          result_row Nearest>
result nearest_sources(const Policy& policy, const Graph& graph, Sources&& sources,
                       Distances&& distances, Nearest&& nearest) {
  return detail::find_nearest_sources(policy, graph, sources, detail::one_row(distances),
                                      detail::one_row(nearest), detail::no_predecessors{});
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  a range of n entries of an integer type; entry v receives the vertex before
///                      v on a shortest path from `nearest[v]`, or `no_predecessor` if v is that
///                      source or unreachable. `path(predecessors, nearest[v], v)` follows them.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources, result_row Distances,
          result_row Nearest, result_row Predecessors>
result nearest_sources(const Policy& policy, const Graph& graph, Sources&& sources,
                       Distances&& distances, Nearest&& nearest, Predecessors&& predecessors) {
  return detail::find_nearest_sources(policy, graph, sources, detail::one_row(distances),
                                      detail::one_row(nearest), detail::one_row(predecessors));
}

/// The k nearest of some sources for every vertex, and the distances from them.
///
/// On the host one search from all sources together settles each vertex k times if there are many
/// sources and no weight is negative. Otherwise, and on devices, rows of distances are solved for
/// from each source, as by `for_each_row`, and not kept.
///
/// @param policy     distances above a `cutoff` do not count; `progress` counts searches.
/// @param graph, sources  as above, but with up to 2^31 - 1 vertices; a source that is there twice
///                   counts once.
/// @param k          how many; 0 is allowed.
/// @param distances  an n x k matrix in host memory; row v receives the distances from the nearest
///                   sources, ascending, and `unreachable` where fewer than k reach v.
/// @param nearest    the same, of an integer type; row v receives these sources, and
///                   `no_predecessor` where there are fewer. Of equally near ones, those with
///                   smaller numbers come first.
/// @throws as above; std::invalid_argument also if a matrix has another shape, or if k is negative.
/// @return as above; `saturated()` may also be set if a distance from another source does not fit.
/// Complexity: O(k (n + m) log(k m)), or the searches from each source. Memory: O(k n + m).
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources, std::integral Count,
          result_matrix Distances, result_matrix Nearest>
result nearest_sources(const Policy& policy, const Graph& graph, Sources&& sources, Count k,
                       Distances&& distances, Nearest&& nearest) {
  return detail::find_k_nearest_sources(policy, graph, sources, detail::checked_count(k), distances,
                                        nearest);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result nearest_sources(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(
      is_explained,
      "apsp: nearest_sources: after the graph, expected a list of sources and "
      "non-const contiguous ranges of n entries for the distances, the nearest sources "
      "and, optionally, the predecessors; or a list of sources, k and two n x k matrices");
  return {};
}

}  // namespace apsp::inline v1
