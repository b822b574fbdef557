// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../monitor.hpp"
#include "../per_source_problem.hpp"

namespace apsp::detail::host {

/// A heap of vertices by distance whose nodes have four children each: half as deep as a binary one,
/// and the children lie in one cache line. Source: Johnson 1975.
template <class C>
class vertex_heap {
 public:
  explicit vertex_heap(std::size_t num_vertices) : position_(num_vertices, absent) {}

  bool empty() const { return entries_.empty(); }
  void clear() {
    for (const entry& e : entries_) position_[static_cast<std::size_t>(e.vertex)] = absent;
    entries_.clear();
  }

  /// Inserts @p vertex, or moves it up to the smaller @p distance.
  void push_or_decrease(std::size_t vertex, const C& distance) {
    std::size_t hole = position_[vertex];
    if (hole == absent) {
      hole = entries_.size();
      entries_.push_back({});
    }
    while (hole != 0) {
      const std::size_t above = (hole - 1) / children;
      if (!(distance < entries_[above].distance)) break;
      place(hole, entries_[above]);
      hole = above;
    }
    place(hole, {distance, static_cast<std::int32_t>(vertex)});
  }

  std::pair<std::size_t, C> pop() {
    const entry top = entries_.front();
    position_[static_cast<std::size_t>(top.vertex)] = absent;
    const entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink_from_top(last);
    return {static_cast<std::size_t>(top.vertex), top.distance};
  }

 private:
  struct entry {
    C distance;
    std::int32_t vertex;
  };
  static constexpr std::size_t children = 4;
  static constexpr std::uint32_t absent = 0xffffffff;

  void place(std::size_t hole, const entry& e) {
    entries_[hole] = e;
    position_[static_cast<std::size_t>(e.vertex)] = static_cast<std::uint32_t>(hole);
  }
  void sink_from_top(const entry& moved) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * children + 1;
      if (first >= entries_.size()) break;
      std::size_t best = first;
      const std::size_t end = std::min(first + children, entries_.size());
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child].distance < entries_[best].distance) best = child;
      }
      if (!(entries_[best].distance < moved.distance)) break;
      place(hole, entries_[best]);
      hole = best;
    }
    place(hole, moved);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> position_;
};

/// Dijkstra's algorithm with a heap: O((n + m) log n). Source: Dijkstra 1959; Johnson 1977.
template <class C>
class dijkstra_solver {
 public:
  explicit dijkstra_solver(const per_source_problem<C>& problem)
      : arcs_(problem.arcs), limit_(problem.limit), heap_(problem.arcs.num_vertices()) {}

  /// Fills rows that hold `no_path` and -1 (null: no predecessors). False if stopped.
  bool solve(std::size_t source, C* distances, std::int32_t* predecessors, monitor&) {
    distances[source] = C{};
    heap_.push_or_decrease(source, C{});
    while (!heap_.empty()) {
      const auto [u, distance] = heap_.pop();
      for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
        const C& weight = arcs_.weights[a];
        if (!extends(distance, weight, limit_)) continue;
        const auto v = static_cast<std::size_t>(arcs_.targets[a]);
        const C through = distance + weight;
        if (!(through < distances[v])) continue;
        distances[v] = through;
        if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
        heap_.push_or_decrease(v, through);
      }
    }
    return true;
  }

 private:
  adjacency_view<C> arcs_;
  C limit_;
  vertex_heap<C> heap_;
};

/// True if looking through all vertices for the nearest is faster than a heap.
template <class C>
bool is_dense(const adjacency_view<C>& arcs) {
  return arcs.num_edges() / 4 >= arcs.num_vertices() * arcs.num_vertices() / 16;
}

/// Dijkstra's algorithm with a scan for the nearest vertex: O(n^2).
template <class C>
class dense_dijkstra_solver {
 public:
  explicit dense_dijkstra_solver(const per_source_problem<C>& problem)
      : arcs_(problem.arcs), limit_(problem.limit), open_(problem.arcs.num_vertices()) {}

  bool solve(std::size_t source, C* distances, std::int32_t* predecessors, monitor&) {
    const std::size_t n = arcs_.num_vertices();
    std::fill(open_.begin(), open_.end(), char{1});
    distances[source] = C{};
    for (;;) {
      std::size_t u = n;
      C distance = no_path<C>();
      for (std::size_t v = 0; v < n; ++v) {
        if (open_[v] && distances[v] < distance) {
          distance = distances[v];
          u = v;
        }
      }
      if (u == n) return true;
      open_[u] = 0;
      for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
        const C& weight = arcs_.weights[a];
        if (!extends(distance, weight, limit_)) continue;
        const auto v = static_cast<std::size_t>(arcs_.targets[a]);
        const C through = distance + weight;
        if (!(through < distances[v])) continue;
        distances[v] = through;
        if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
      }
    }
  }

 private:
  adjacency_view<C> arcs_;
  C limit_;
  std::vector<char> open_;
};

}  // namespace apsp::detail::host
