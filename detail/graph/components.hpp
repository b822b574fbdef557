// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"

namespace apsp::inline v1::detail::host {

/// The strongly connected components of a graph in reverse topological order: each follows all
/// components reachable from it.
struct components {
  std::vector<std::int32_t> members;  ///< The vertices, component by component.
  std::vector<std::size_t> offsets{0};
  std::vector<std::int32_t> component_of;

  std::size_t count() const { return offsets.size() - 1; }
  /// A vertex that represents the component.
  std::size_t first(std::size_t c) const { return static_cast<std::size_t>(members[offsets[c]]); }
};

/// The components of the graph whose arcs from vertex v lead to targets[offsets[v]] to
/// targets[offsets[v + 1] - 1]. Tarjan's algorithm with an explicit stack: O(n + m).
/// @return false if @p watch requested a stop.
/// Source: Tarjan 1972.
template <class Offset>
bool find_components(const Offset* offsets, const std::int32_t* targets, std::size_t n,
                     const monitor& watch, components& found) {
  struct visit {
    std::size_t vertex;
    std::size_t next_arc;
  };
  constexpr std::int32_t none = -1;
  found.component_of.assign(n, none);
  found.members.reserve(n);
  std::vector<std::int32_t> number(n, none);  // in the order of discovery
  std::vector<std::int32_t> lowest(n);        // lowest number known to be in the same component
  std::vector<std::int32_t> open;             // visited, but not yet assigned to a component
  std::vector<visit> visits;
  std::int32_t next_number = 0;
  stop_check check(watch);
  const auto begin = [&](std::size_t v) { return static_cast<std::size_t>(offsets[v]); };
  const auto discover = [&](std::size_t v) {
    number[v] = lowest[v] = next_number++;
    open.push_back(static_cast<std::int32_t>(v));
    visits.push_back({v, begin(v)});
  };
  for (std::size_t root = 0; root < n; ++root) {
    if (number[root] != none) continue;
    discover(root);
    while (!visits.empty()) {
      const std::size_t v = visits.back().vertex;
      if (visits.back().next_arc != begin(v + 1)) {
        const auto target = static_cast<std::size_t>(targets[visits.back().next_arc++]);
        if (number[target] == none) {
          discover(target);
        } else if (found.component_of[target] == none) {
          lowest[v] = std::min(lowest[v], number[target]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        std::int32_t& below = lowest[visits.back().vertex];
        below = std::min(below, lowest[v]);
      }
      if (lowest[v] == number[v]) {
        const auto component = static_cast<std::int32_t>(found.count());
        std::size_t member = 0;
        do {
          member = static_cast<std::size_t>(open.back());
          open.pop_back();
          found.component_of[member] = component;
          found.members.push_back(static_cast<std::int32_t>(member));
        } while (member != v);
        found.offsets.push_back(found.members.size());
      }
      if (check.after(begin(v + 1) - begin(v))) return false;
    }
  }
  return true;
}

}  // namespace apsp::inline v1::detail::host
