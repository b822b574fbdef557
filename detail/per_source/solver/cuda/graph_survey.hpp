// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../problem/problem.hpp"

// Properties of a graph that the host inspects before it chooses a device algorithm for the
// sources.
namespace apsp::inline v1::detail::cuda {

/// Result of breadth-first searches from a few sources of a problem, ignoring weights. A search
/// does not enter vertices that an earlier one has reached.
struct search_extent {
  std::size_t rounds;              ///< Of the longest search.
  std::size_t vertices_per_round;  ///< The average of one search; the largest over all searches.
};

/// Complexity: O(n + m), and less if few arcs suffice to reach all vertices.
template <class C>
search_extent search_from_sources(const per_source_problem<C>& problem) {
  constexpr std::size_t num_searches = 4;
  const adjacency_view<C>& arcs = problem.arcs;
  search_extent most{};
  std::vector<char> is_reached(arcs.num_vertices(), 0);
  std::size_t num_left = arcs.num_vertices();
  for (std::size_t i = 0; i < num_searches; ++i) {
    const std::size_t start = problem.sources.size() * i / num_searches;
    std::vector<std::int32_t> reached{problem.sources[start]};
    // A start vertex that an earlier search has reached would add no information.
    if (std::exchange(is_reached[static_cast<std::size_t>(reached[0])], 1) != 0) continue;
    --num_left;
    std::size_t num_rounds = 0;
    for (std::size_t begin = 0; begin < reached.size(); ++num_rounds) {
      const std::size_t end = reached.size();
      for (std::size_t r = begin; r < end && num_left != 0; ++r) {
        const auto u = static_cast<std::size_t>(reached[r]);
        for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
          const auto v = static_cast<std::size_t>(arcs.targets[a]);
          if (std::exchange(is_reached[v], 1) != 0) continue;
          reached.push_back(arcs.targets[a]);
          --num_left;
        }
      }
      begin = end;
    }
    most.rounds = std::max(most.rounds, num_rounds);
    most.vertices_per_round = std::max(most.vertices_per_round, reached.size() / num_rounds);
  }
  return most;
}

/// Mean over all arcs, of which there must be at least one.
template <class C>
double mean_weight(const adjacency_view<C>& arcs) {
  // Independent sums that can be accumulated in parallel.
  constexpr std::size_t num_sums = 8;
  std::array<double, num_sums> sums{};
  const std::size_t even = arcs.weights.size() / num_sums * num_sums;
  for (std::size_t a = 0; a < even; a += num_sums) {
    for (std::size_t i = 0; i < num_sums; ++i) sums[i] += static_cast<double>(arcs.weights[a + i]);
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  for (std::size_t a = even; a < arcs.weights.size(); ++a) {
    total += static_cast<double>(arcs.weights[a]);
  }
  return total / static_cast<double>(arcs.weights.size());
}

}  // namespace apsp::inline v1::detail::cuda
