// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "../../apsp/unreachable.hpp"
#include "../graph/adjacency.hpp"
#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"

// Arcs that are on no shortest path, since a path of other arcs is shorter.
namespace apsp::inline v1::detail {

/// Short searches for paths that are shorter than the arcs out of a vertex.
/// Source: Geisberger et al. 2008, who call these paths witnesses.
template <class T>
class detour_search {
 public:
  explicit detour_search(std::size_t num_vertices)
      : lengths_(num_vertices, unreachable<T>), reached_() {}

  /// Calls f(arc) for arcs out of a vertex that are longer than a path by more than a margin.
  /// @param arcs           of weights of at least 0.
  /// @param most_settled   vertices of the search.
  template <class F>
  void run(const adjacency_view<T>& arcs, std::size_t source, const T& margin,
           std::size_t most_settled, F f) {
    T heaviest{};
    for (std::size_t a = arcs.begin(source); a < arcs.end(source); ++a) {
      heaviest = std::max(heaviest, arcs.weights[a]);
    }
    reach(static_cast<std::int32_t>(source), T{});
    for (std::size_t settled = 0; settled < most_settled && !queue_.empty();) {
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>{});
      const auto [length, vertex] = queue_.back();
      queue_.pop_back();
      const auto u = static_cast<std::size_t>(vertex);
      if (lengths_[u] < length) continue;
      ++settled;
      for (std::size_t a = arcs.begin(u); a < arcs.end(u); ++a) {
        // A longer path is no detour, and its length might wrap.
        if (heaviest - length < arcs.weights[a]) continue;
        const T through = static_cast<T>(length + arcs.weights[a]);
        if (through < lengths_[static_cast<std::size_t>(arcs.targets[a])]) {
          reach(arcs.targets[a], through);
        }
      }
    }
    for (std::size_t a = arcs.begin(source); a < arcs.end(source); ++a) {
      const T& length = lengths_[static_cast<std::size_t>(arcs.targets[a])];
      if (length < arcs.weights[a] && margin < arcs.weights[a] - length) f(a);
    }
    for (const std::int32_t v : reached_) lengths_[static_cast<std::size_t>(v)] = unreachable<T>;
    reached_.clear();
    queue_.clear();
  }

 private:
  void reach(std::int32_t v, const T& length) {
    lengths_[static_cast<std::size_t>(v)] = length;
    reached_.push_back(v);
    queue_.emplace_back(length, v);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>{});
  }

  std::vector<T> lengths_;
  std::vector<std::int32_t> reached_;
  std::vector<std::pair<T, std::int32_t>> queue_;
};

/// Finds arcs that are longer than a path between their ends by more than a margin.
/// @param arcs          of weights of at least 0.
/// @param most_settled  vertices of each search.
/// @return a flag for each arc: 1 if it is longer.
/// Complexity: O(m most_settled log m) for arcs that are spread evenly.
template <class T>
std::vector<char> find_longer_arcs(const adjacency_view<T>& arcs, const T& margin,
                                   std::size_t most_settled, int threads, const monitor& watch) {
  std::vector<char> is_longer(arcs.num_edges(), 0);
  constexpr std::size_t vertices_together = 64;
  host::parallel_for_with_workspace(
      arcs.num_vertices(), threads, [&] { return detour_search<T>(arcs.num_vertices()); },
      [&](detour_search<T>& search, std::size_t u) {
        if (watch.stop_requested()) return;
        search.run(arcs, u, margin, most_settled, [&](std::size_t a) { is_longer[a] = 1; });
      },
      vertices_together);
  return is_longer;
}

}  // namespace apsp::inline v1::detail
