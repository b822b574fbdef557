// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../host/monitor.hpp"
#include "elimination_tree.hpp"
#include "neighbors.hpp"

namespace apsp::inline v1::detail {

/// What remains of a graph after some of its vertices have been eliminated.
struct reduced_graph {
  grouped_order order;  ///< Of those; the others follow.
  std::vector<std::int32_t> remaining;
  neighbor_lists neighbors;  ///< Among those, by their positions in `remaining`.
};

/// The work of eliminating one of the vertices below, at most.
inline constexpr double relaxations_of_low_degree = 9;

/// Eliminates vertices with at most two neighbors until few are left: hanging trees from their
/// leaves on, and of a chain every other vertex at a time, so that the elimination tree of a long
/// one is low. Vertices stay that have a neighbor with very many others. Groups have one vertex
/// each, and what remains keeps its order.
///
/// @param stays  by vertex: not 0 if it is not eliminated; empty if all may be.
/// Complexity: O(n + m).
/// @throws host::stop_seen if a stop is requested.
reduced_graph eliminate_low_degrees(const neighbor_lists& neighbors, std::span<const char> stays,
                                    const monitor* watch);

}  // namespace apsp::inline v1::detail
