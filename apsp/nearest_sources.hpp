// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "vertex_range.hpp"

namespace apsp {

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

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result nearest_sources(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: nearest_sources: after the graph, expected a list of sources and "
                "non-const contiguous ranges of n entries for the distances, the nearest sources "
                "and, optionally, the predecessors");
  return {};
}

}  // namespace apsp
