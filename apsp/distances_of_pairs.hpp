// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances between the two vertices of each pair, for example of trips.
///
/// With a `contraction_hierarchy`, hosts climb along the elimination tree from both ends of a pair,
/// or solve for rows from the distinct sources if that is predicted to be faster. They prepare a
/// hierarchy for the pairs of another graph if that is predicted to be faster than searches from
/// the distinct sources, or targets, of which there are fewer. Devices solve for rows from these.
/// Over other semirings than `min_plus` rows are from the sources, and with a cutoff no climbs.
///
/// @param policy     `progress` counts searches, or pairs if they are climbed for; a distance above
///                   a `cutoff` is `unreachable`.
/// @param graph      in host memory; its weights are converted to the type of the distances.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors; it
///                   may be empty and have duplicates.
/// @param targets    the same, as many.
/// @param distances  a contiguous range in host memory with an entry for each pair; entry k
///                   receives the length of a shortest path from source k to target k, or
///                   `unreachable`.
/// @param over       a semiring as for `dijkstra`, whose value type is that of the distances; entry
///                   k receives the value of a best path.
/// @throws std::invalid_argument if the ranges have different sizes, a source, a target or an edge
///         endpoint is not a vertex, or a weight is NaN or not representable in the type of the
///         distances. Nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()`, if device memory is
///         insufficient, or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, in which case nothing
///         is written; or false with `stopped()`. `saturated()` if an entry does not fit; it may
///         also be set if the distance from a source to the target of another pair does not.
/// Complexity: with a hierarchy, for each pair the arcs of the ancestors of both vertices in the
/// tree; otherwise that of the preparation as well, or of the searches. Memory: O(n + m + k) for k
/// pairs, and O(n) for each thread.
/// Source: Dibbelt, Strasser, Wagner 2016 (elimination tree queries).
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          vertex_range<Graph> Targets, result_row Distances,
          semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result distances_of_pairs(const Policy& policy, const Graph& graph, Sources&& sources,
                          Targets&& targets, Distances&& distances, const Semiring& over = {}) {
  return detail::find_distances_of_pairs(policy, graph, sources, targets,
                                         detail::one_row(distances), over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result distances_of_pairs(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: distances_of_pairs: after the graph, expected a list of sources, a list of "
                "targets, a non-const contiguous range with an entry for each pair, and, "
                "optionally, a semiring");
  return {};
}

}  // namespace apsp::inline v1
