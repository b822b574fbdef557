// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../monitor.hpp"
#include "../per_source_problem.hpp"

namespace apsp::detail::host {

/// Bellman–Ford with a queue of the vertices whose distance has sunk, in passes over it: O(n m), and it
/// ends with the last change. Sources: Bellman 1958; Moore 1959 for the queue.
template <class C>
class bellman_ford_solver {
 public:
  explicit bellman_ford_solver(const per_source_problem<C>& problem)
      : arcs_(problem.arcs), limit_(problem.limit), is_queued_(problem.arcs.num_vertices(), 0) {}

  /// Fills rows that hold `no_path` and -1 (null: no predecessors). False if stopped, or if there are
  /// still changes after as many passes as a path can have arcs.
  bool solve(std::size_t source, C* distances, std::int32_t* predecessors, monitor& watch) {
    distances[source] = C{};
    queue_.assign(1, source);
    for (std::size_t pass = 0; !queue_.empty(); ++pass) {
      if (pass == arcs_.num_vertices() + 1 || watch.stop_requested()) {
        for (const std::size_t v : queue_) is_queued_[v] = 0;
        return false;
      }
      next_.clear();
      for (const std::size_t u : queue_) {
        is_queued_[u] = 0;
        const C distance = distances[u];
        for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
          const C& weight = arcs_.weights[a];
          if (!extends(distance, weight, limit_)) continue;
          const auto v = static_cast<std::size_t>(arcs_.targets[a]);
          const C through = distance + weight;
          if (!(through < distances[v])) continue;
          distances[v] = through;
          if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
          if (!std::exchange(is_queued_[v], 1)) next_.push_back(v);
        }
      }
      queue_.swap(next_);
    }
    return true;
  }

 private:
  adjacency_view<C> arcs_;
  C limit_;
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> next_;
  std::vector<char> is_queued_;
};

}  // namespace apsp::detail::host
