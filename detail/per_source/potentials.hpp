// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../elimination/coded_hierarchy.hpp"
#include "../elimination/hierarchy.hpp"
#include "../graph/adjacency.hpp"
#include "finishing.hpp"

// Potentials of a graph whose hierarchy is ready.
namespace apsp::detail {

/// The lengths of the paths that have these lengths but for rounding, added up from their beginning: a
/// breadth-first search from where the empty path is shortest, along arcs that agree with the lengths.
/// @param rounding  of one length, at most.
template <class T>
potentials_of<T> retraced(const adjacency_view<T>& arcs, potentials_of<T> rough,
                          const walk_sum_t<T>& rounding) {
  using sum = walk_sum_t<T>;
  potentials_of<T> exact = rough;
  std::vector<char> is_seen(rough.size(), 0);
  std::vector<std::size_t> tree;
  for (std::size_t v = 0; v < rough.size(); ++v) {
    if (rough[v] < sum{}) continue;
    is_seen[v] = 1;
    tree.push_back(v);
  }
  for (std::size_t next = 0; next < tree.size(); ++next) {
    const std::size_t u = tree[next];
    for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
      const auto v = static_cast<std::size_t>(arcs.targets[a]);
      const sum weight = sum(arcs.weights[a]);
      if (is_seen[v] != 0 || rough[u] + weight - rough[v] > rounding) continue;
      is_seen[v] = 1;
      // The empty path is never longer.
      exact[v] = std::min(exact[u] + weight, sum{});
      tree.push_back(v);
    }
  }
  return exact;
}

/// The lengths of the shortest paths that end at each vertex, wherever they begin, up to rounding.
template <class T>
potentials_of<T> potentials_from(const weighted_hierarchy<T>& hierarchy,
                                 const adjacency_view<T>& arcs) {
  using sum = walk_sum_t<T>;
  return std::visit(
      [&]<class C>(const coded_hierarchy<C>& made) {
        const std::vector<sum> by_place = least_lengths<sum>(made.graph);
        potentials_of<T> potentials(by_place.size());
        for (std::size_t p = 0; p < by_place.size(); ++p) {
          potentials[static_cast<std::size_t>(made.graph.tree->vertices[p])] = by_place[p];
        }
        if constexpr (std::is_floating_point_v<T>) {
          sum farthest{};
          for (const sum& length : by_place) farthest = std::max(farthest, -length);
          // Of the few additions, one upon the other, of which the length of an arc is the result.
          constexpr sum rounding = 32 * static_cast<sum>(std::numeric_limits<C>::epsilon());
          potentials = retraced<T>(arcs, std::move(potentials), rounding * farthest);
        }
        return potentials;
      },
      hierarchy);
}

}  // namespace apsp::detail
