// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "../values/distance_code.hpp"
#include "../values/int128.hpp"
#include "elimination_tree.hpp"

namespace apsp::inline v1::detail {

/// An arc between a place and one of its ancestors, which is told by its depth in the tree.
template <class T>
struct sweep_arc {
  std::int32_t depth;
  T weight;
};

/// A graph in which every best path can be replaced by one that first leads up the elimination
/// tree, from ancestor to ancestor, and then down. All arcs lead from a place to an ancestor (up)
/// or from an ancestor to a place (down), and each is a best path between its ends. Source:
/// Dibbelt, Strasser, Wagner 2016.
template <class T>
struct hierarchy {
  shared_tree tree;
  std::vector<std::int64_t> up_offsets;  ///< By place.
  std::vector<sweep_arc<T>> up;
  std::vector<std::int64_t> down_offsets;
  std::vector<sweep_arc<T>> down;
};

/// A bound of |length| over the paths that first lead up and then down.
/// @throws host::stop_seen if a stop is requested.
template <class T>
int128 longest_path(const hierarchy<T>& graph, const monitor* watch = nullptr) {
  host::stop_poll poll(watch);
  const auto longest = [&](const std::vector<std::int64_t>& offsets,
                           const std::vector<sweep_arc<T>>& arcs) {
    int128 most = 0;
    std::vector<int128> to_root(static_cast<std::size_t>(graph.tree->height));
    for (std::size_t p = 0; p < graph.tree->num_vertices(); ++p) {
      poll.after(static_cast<std::size_t>(offsets[p + 1] - offsets[p]));
      int128 length = 0;
      for (auto a = offsets[p]; a < offsets[p + 1]; ++a) {
        const sweep_arc<T>& arc = arcs[static_cast<std::size_t>(a)];
        const auto weight = static_cast<int128>(arc.weight);
        length = std::max(
            length, to_root[static_cast<std::size_t>(arc.depth)] + (weight < 0 ? -weight : weight));
      }
      to_root[static_cast<std::size_t>(graph.tree->depths[p])] = length;
      most = std::max(most, length);
    }
    return most;
  };
  return longest(graph.up_offsets, graph.up) + longest(graph.down_offsets, graph.down);
}

/// By place: the least length of a path that ends there, wherever it begins; at most 0, the length
/// of the empty path. One sweep up, in which every place is a source, and one down.
template <class Sum, class T>
std::vector<Sum> least_lengths(const hierarchy<T>& graph) {
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const std::size_t n = graph.tree->num_vertices();
  const std::vector<std::int32_t>& depths = graph.tree->depths;
  std::vector<Sum> least(n);
  std::vector<Sum> stack(at(graph.tree->height), Sum{});
  for (std::size_t p = n; p-- > 0;) {
    least[p] = std::exchange(stack[at(depths[p])], Sum{});
    for (auto a = graph.up_offsets[p]; a < graph.up_offsets[p + 1]; ++a) {
      const sweep_arc<T>& arc = graph.up[at(a)];
      Sum& above = stack[at(arc.depth)];
      above = std::min(above, least[p] + static_cast<Sum>(arc.weight));
    }
  }
  for (std::size_t p = 0; p < n; ++p) {
    for (auto a = graph.down_offsets[p]; a < graph.down_offsets[p + 1]; ++a) {
      const sweep_arc<T>& arc = graph.down[at(a)];
      least[p] = std::min(least[p], stack[at(arc.depth)] + static_cast<Sum>(arc.weight));
    }
    stack[at(depths[p])] = least[p];
  }
  return least;
}

/// The weight in code @p code; if it does not fit it is not part of a shortest path.
template <class C, class T>
C narrowed_weight(const T& w, const distance_code<C>& code) {
  if constexpr (is_coded_integer<C>) {
    return static_cast<int128>(w) < static_cast<int128>(code.unreachable) ? static_cast<C>(w)
                                                                          : code.unreachable;
  } else {
    return static_cast<C>(w);
  }
}

/// The same hierarchy with weights in code @p code, which holds all of them.
/// @throws host::stop_seen if a stop is requested.
template <class C, class T>
hierarchy<C> narrowed(const hierarchy<T>& graph, const distance_code<C>& code,
                      const monitor* watch = nullptr) {
  host::stop_poll poll(watch);
  const auto convert = [&](const std::vector<sweep_arc<T>>& arcs) {
    std::vector<sweep_arc<C>> made;
    made.reserve(arcs.size());
    for (const auto& arc : arcs) {
      poll.after(0);
      made.push_back({arc.depth, narrowed_weight(arc.weight, code)});
    }
    return made;
  };
  return {graph.tree, graph.up_offsets, convert(graph.up), graph.down_offsets, convert(graph.down)};
}

}  // namespace apsp::inline v1::detail
