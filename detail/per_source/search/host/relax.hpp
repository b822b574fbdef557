// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../graph/adjacency.hpp"
#include "../../problem/paths.hpp"

namespace apsp::inline v1::detail::host {

/// The row that a search fills.
template <class C>
struct searched_row {
  C limit;
  C* distances;
  std::int32_t* predecessors;  ///< Null if they are not wanted.
};

/// Relaxes the arcs of @p u, whose best path has the value @p distance, and pushes every improved
/// vertex to @p queue.
template <path_algebra P, class Queue, class C = typename P::value_type>
void relax_arcs(const P& paths, const adjacency_view<C>& arcs, std::size_t u, const C& distance,
                const searched_row<C>& row, Queue& queue) {
  const C& limit = row.limit;
  C* const distances = row.distances;
  std::int32_t* const predecessors = row.predecessors;
  const std::size_t end = arcs.end(u);
  for (std::size_t a = arcs.begin(u); a < end; ++a) {
    C through{};
    if (!paths.extend(distance, arcs.weights[a], limit, through)) continue;
    const auto v = static_cast<std::size_t>(arcs.targets[a]);
    if (!paths.is_better(through, distances[v]) || paths.is_beyond(through, limit)) continue;
    if constexpr (!P::keeps_order && requires { queue.is_settled(v); }) {
      if (queue.is_settled(v)) continue;
    }
    distances[v] = through;
    if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
    queue.push_or_decrease(v, through);
  }
}

}  // namespace apsp::inline v1::detail::host
