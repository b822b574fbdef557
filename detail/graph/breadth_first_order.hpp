// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "adjacency.hpp"

namespace apsp::inline v1::detail {

/// All vertices in an order in which neighbors are close to each other: by breadth-first searches
/// along the arcs and against them, the first one from a vertex of the largest degree.
/// Complexity: O(n + m).
template <class C>
std::vector<std::int32_t> breadth_first_order(const adjacency_view<C>& outgoing,
                                              const adjacency_view<C>& incoming) {
  const std::size_t n = outgoing.num_vertices();
  const auto degree = [&](std::size_t v) {
    return outgoing.end(v) - outgoing.begin(v) + incoming.end(v) - incoming.begin(v);
  };
  std::vector<std::int32_t> order;
  order.reserve(n);
  std::vector<char> is_seen(n, 0);
  const auto see = [&](std::size_t v) {
    if (std::exchange(is_seen[v], char{1}) == 0) order.push_back(static_cast<std::int32_t>(v));
  };
  std::size_t next = 0;
  const auto search_from = [&](std::size_t start) {
    for (see(start); next < order.size(); ++next) {
      const auto u = static_cast<std::size_t>(order[next]);
      for (const adjacency_view<C>* arcs : {&outgoing, &incoming}) {
        for (std::size_t a = arcs->begin(u); a < arcs->end(u); ++a) {
          see(static_cast<std::size_t>(arcs->targets[a]));
        }
      }
    }
  };
  std::size_t first = 0;
  for (std::size_t v = 1; v < n; ++v) {
    if (degree(first) < degree(v)) first = v;
  }
  if (n != 0) search_from(first);
  for (std::size_t v = 0; v < n; ++v) search_from(v);
  return order;
}

}  // namespace apsp::inline v1::detail
