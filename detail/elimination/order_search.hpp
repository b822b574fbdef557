// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include "../../apsp/config.hpp"
#include "../host/workers.hpp"
#include "../plan/facts.hpp"
#include "elimination_tree.hpp"
#include "hierarchy.hpp"

// The search for an order of elimination that a plan asks for, and what the planner needs to know
// of one.
namespace apsp::inline v1::detail {

/// An elimination tree of a graph in compressed sparse rows; null if eliminating the vertices takes
/// longer than @p preparation_time, in nanoseconds of one thread, even at the speed of tile
/// kernels, if none is found within about @p search_time, or if a stop is requested.
APSP_EXPORT shared_tree search_order(std::span<const std::int64_t> offsets,
                                     std::span<const std::int32_t> targets, distance_kind kind,
                                     double preparation_time, double search_time,
                                     const host::workers& by);

/// The work of eliminating the vertices, and of sweeps after it.
APSP_EXPORT order_structure structure_of(const elimination_tree& tree);
/// The work of sweeps over a hierarchy that is ready.
template <class C>
order_structure structure_of(const hierarchy<C>& graph) {
  return {static_cast<double>(graph.tree->height), static_cast<double>(graph.down.size())};
}

}  // namespace apsp::inline v1::detail
