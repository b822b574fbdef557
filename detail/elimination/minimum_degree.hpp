// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../apsp/config.hpp"
#include "neighbors.hpp"

namespace apsp::detail {

/// An order in which eliminating the vertices of a graph adds few arcs: always a vertex of least
/// approximate degree. Nothing if the eliminations of the order would take more than about
/// @p most_relaxations relaxations, which is found out before most of the time is spent.
///
/// The graph of vertices that remain is stored as a quotient graph, in the memory of the original
/// graph and of the lists of its elements. Source: Amestoy, Davis, Duff 1996.
APSP_EXPORT std::optional<std::vector<std::int32_t>> minimum_degree_order(
    const neighbor_lists& neighbors,
    double most_relaxations = std::numeric_limits<double>::infinity());

}  // namespace apsp::detail
