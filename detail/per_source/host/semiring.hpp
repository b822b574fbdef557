// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../graph/trees.hpp"
#include "../../host/monitor.hpp"
#include "../../host/stop_check.hpp"
#include "../problem.hpp"
#include "../semiring_problem.hpp"
#include "bellman_ford.hpp"
#include "dijkstra.hpp"
#include "solve.hpp"

// Dijkstra and Bellman–Ford over a semiring that has best paths.
//
// Going on from a vertex never makes a path better, and the better of two paths stays so whatever both go
// on with. So a vertex that comes off the heap is settled, and an arc that improves a vertex does not
// close a cycle of predecessors: rows of them are trees, also where whole cycles have the value `one`.
// Source: Mohri 2002.
namespace apsp::detail::host {

/// Relaxes the arcs of @p u, whose best path has the value @p distance, and gives every vertex that is
/// improved to @p queue.
template <class S, class C, class Queue>
void relax_arcs_over(const semiring_problem<S>& problem, std::size_t u, const C& distance,
                     C* distances, std::int32_t* predecessors, Queue& queue) {
  const adjacency_view<C>& arcs = problem.arcs;
  const std::size_t end = arcs.end(u);
  for (std::size_t a = arcs.begin(u); a < end; ++a) {
    const auto v = static_cast<std::size_t>(arcs.targets[a]);
    const C through = problem.semiring.times(distance, arcs.weights[a]);
    if (!is_better(problem.semiring, through, distances[v]) || problem.is_beyond(through)) continue;
    if constexpr (requires { queue.is_settled(v); }) {
      if (queue.is_settled(v)) continue;
    }
    distances[v] = through;
    if (predecessors != nullptr) predecessors[v] = static_cast<std::int32_t>(u);
    queue.push_or_decrease(v, through);
  }
}

/// Dijkstra's algorithm: O((n + m) log n).
template <class S>
class semiring_dijkstra_solver {
  using C = typename S::value_type;

 public:
  explicit semiring_dijkstra_solver(const semiring_problem<S>& problem)
      : problem_(problem), open_(problem.arcs.num_vertices(), problem.semiring) {}

  /// Fills rows that hold `zero` and -1 (null: no predecessors).
  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    stop_check check(watch);
    open_.clear();
    distances[source] = problem_.semiring.one;
    open_.push_or_decrease(source, distances[source]);
    while (!open_.empty()) {
      const auto [u, distance] = open_.settle();
      relax_arcs_over(problem_, u, distance, distances, predecessors, open_);
      if (check.after(problem_.arcs.end(u) - problem_.arcs.begin(u))) {
        return solve_outcome::stopped;
      }
    }
    return solve_outcome::finished;
  }

 private:
  struct comes_before {
    const S& semiring;
    bool operator()(const distance_key<C>& a, const distance_key<C>& b) const {
      return is_better(semiring, a.distance(), b.distance());
    }
  };

  // Where `times` rounds a path to a better value than its beginning has, a settled vertex stays settled
  // and the row a tree.
  class open_vertices {
   public:
    open_vertices(std::size_t num_vertices, const S& semiring)
        : heap_(num_vertices, comes_before{semiring}), is_settled_(num_vertices, 0) {}

    bool empty() const { return heap_.empty(); }
    void clear() {
      heap_.clear();  // of what a search that was cut short has left
      std::fill(is_settled_.begin(), is_settled_.end(), char{0});
    }
    bool is_settled(std::size_t v) const { return is_settled_[v] != 0; }
    void push_or_decrease(std::size_t v, const C& distance) { heap_.push_or_decrease(v, distance); }
    std::pair<std::size_t, C> settle() {
      const auto top = heap_.pop();
      is_settled_[top.first] = 1;
      return top;
    }

   private:
    vertex_heap<C, comes_before> heap_;
    std::vector<char> is_settled_;
  };

  const semiring_problem<S>& problem_;
  open_vertices open_;
};

/// Bellman–Ford with a queue of the vertices that have been improved, in passes over it: O(n m), and it
/// ends with the last improvement.
template <class S>
class semiring_bellman_ford_solver {
  using C = typename S::value_type;

 public:
  explicit semiring_bellman_ford_solver(const semiring_problem<S>& problem)
      : problem_(problem),
        passes_(problem.arcs.num_vertices()),
        seen_from_(problem.with_predecessors ? problem.arcs.num_vertices() : 0) {}

  /// Fills rows that hold `zero` and -1 (null: no predecessors). `not_converged` if rounding has made a
  /// cycle improve a path.
  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    distances[source] = problem_.semiring.one;
    const solve_outcome outcome =
        passes_.run(problem_.arcs, source, watch, [&](std::size_t u, auto& queue) {
          const C distance = distances[u];
          relax_arcs_over(problem_, u, distance, distances, predecessors, queue);
        });
    if (outcome != solve_outcome::finished || predecessors == nullptr) return outcome;
    const bool is_tree = !has_loop(predecessors, problem_.arcs.num_vertices(), source, seen_from_);
    return is_tree ? solve_outcome::finished : solve_outcome::not_converged;
  }

 private:
  const semiring_problem<S>& problem_;
  vertex_passes passes_;
  std::vector<std::int32_t> seen_from_;  ///< Taken before a row is written.
};

/// Solves for all sources of @p problem and hands the rows to @p sink.
/// @param threads  1: the calling one; 0: as many as OpenMP gives.
template <class S>
solve_outcome solve_semiring_per_source(const semiring_problem<S>& problem, int threads,
                                        row_sink<typename S::value_type>& sink, monitor& watch) {
  const typename S::value_type none = problem.semiring.zero;
  if (problem.method == algorithm::bellman_ford) {
    return solve_sources<semiring_bellman_ford_solver<S>>(problem, none, threads, sink, watch);
  }
  return solve_sources<semiring_dijkstra_solver<S>>(problem, none, threads, sink, watch);
}

}  // namespace apsp::detail::host
