// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "../../apsp/config.hpp"
#include "../host/workers.hpp"
#include "elimination_tree.hpp"
#include "low_degrees.hpp"
#include "neighbors.hpp"
#include "quotient_graph.hpp"

// The first steps of an order, by several threads: a graph is divided into pieces, and vertices of
// small degree all of whose neighbors are in one piece are eliminated there. Which pieces there are
// does not depend on the number of threads.
namespace apsp::inline v1::detail {

/// Worth it only if so many entries of lists may be read for each neighbor of a vertex.
inline constexpr double entries_of_pieces = 8;

/// What remains is numbered by piece. Nothing if the graph is small, has vertices of very many
/// neighbors, or so many arcs between pieces that little could be eliminated in them.
///
/// Complexity: O(n + m).
/// @param work  to which that of the order so far is added.
/// @throws host::stop_seen if a stop is requested.
APSP_EXPORT std::optional<reduced_graph> eliminate_in_pieces(const neighbor_lists& neighbors,
                                                             const host::workers& by,
                                                             order_work& work);

/// Appends an order of what remains to the order of the other vertices.
/// @param remaining  the vertices that @p rest numbers.
void append(const grouped_order& rest, std::span<const std::int32_t> remaining,
            grouped_order& order);

}  // namespace apsp::inline v1::detail
