// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../graph/adjacency.hpp"
#include "../problem.hpp"

namespace apsp::detail::host {

/// Relaxes the arcs of @p u, which is @p distance from the source, and gives every vertex that came
/// nearer to @p queue.
template <class C, class Queue>
void relax_arcs(const adjacency_view<C>& arcs, std::size_t u, const C& distance, const C& limit,
                C* distances, std::int32_t* predecessors, Queue& queue) {
  const std::size_t end = arcs.end(u);
  for (std::size_t a = arcs.begin(u); a < end; ++a) {
    const C& weight = arcs.weights[a];
    if (!extends(distance, weight, limit)) continue;
    const auto v = static_cast<std::size_t>(arcs.targets[a]);
    const C through = distance + weight;
    if (!(through < distances[v])) continue;
    distances[v] = through;
    if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
    queue.push_or_decrease(v, through);
  }
}

}  // namespace apsp::detail::host
