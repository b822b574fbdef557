// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../../apsp/config.hpp"
#include "../host/workers.hpp"
#include "elimination_tree.hpp"
#include "neighbors.hpp"

namespace apsp::inline v1::detail {

/// When to give up the search for an order.
struct order_limits {
  /// The work of eliminating the vertices, in relaxations.
  double relaxations = std::numeric_limits<double>::infinity();
  /// The work of finding the order: entries of lists that are read. The vertices that remain then
  /// are ordered by their degrees alone, if that is within the other limit.
  double entries = std::numeric_limits<double>::infinity();
  host::workers by{};
};

/// An order in which eliminating the vertices of a graph adds few arcs: always a vertex of least
/// approximate degree. Nothing if it is beyond the limits, or a stop is requested. Without groups
/// if vertices were ordered by their degrees alone.
///
/// The graph of vertices that remain is stored as a quotient graph, in the memory of the original
/// graph and of the lists of its elements. Source: Amestoy, Davis, Duff 1996.
APSP_EXPORT std::optional<grouped_order> minimum_degree_order(const neighbor_lists& neighbors,
                                                              const order_limits& limits = {});

/// The tree of this order.
/// @throws host::stop_seen if a stop is requested.
APSP_EXPORT elimination_tree make_elimination_tree(const neighbor_lists& neighbors,
                                                   grouped_order order,
                                                   const host::workers& by = {});

/// The elimination tree of a graph in compressed sparse rows, for this order; null if a stop is
/// requested.
APSP_EXPORT shared_tree minimum_degree_tree(std::span<const std::int64_t> offsets,
                                            std::span<const std::int32_t> targets,
                                            const host::workers& by = {});

/// The same for the order of the caller.
/// @param order  every vertex once, in the order of elimination.
APSP_EXPORT shared_tree tree_of_order(std::span<const std::int64_t> offsets,
                                      std::span<const std::int32_t> targets,
                                      std::span<const std::int32_t> order,
                                      const host::workers& by = {});

}  // namespace apsp::inline v1::detail
