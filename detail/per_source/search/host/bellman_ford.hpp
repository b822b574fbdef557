// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../graph/trees.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/stop_check.hpp"
#include "../../../values/distance_code.hpp"
#include "../../problem/paths.hpp"
#include "../../problem/problem.hpp"
#include "relax.hpp"

namespace apsp::inline v1::detail::host {

/// Passes over the vertices that improved in the previous pass.
class vertex_passes {
 public:
  /// Allocates all memory that run() needs.
  explicit vertex_passes(std::size_t num_vertices) : next_(num_vertices) {
    pass_.reserve(std::max<std::size_t>(num_vertices, 1));
  }

  /// Calls `relax(u, queue)` for the vertices of each pass, starting with @p source;
  /// `queue.push_or_decrease(u, distance)` adds u to the next pass. Returns `not_converged` if
  /// there are still changes after as many passes as a path can have arcs.
  template <class C, class Relax>
  solve_outcome run(const adjacency_view<C>& arcs, std::size_t source, const monitor& watch,
                    Relax relax) {
    stop_check check(watch);
    // Remains of an interrupted search.
    for (const std::uint32_t v : pass_) next_.is_queued[v] = 0;
    for (const std::uint32_t v : next_.vertices) next_.is_queued[v] = 0;
    next_.vertices.clear();
    pass_.assign(1, static_cast<std::uint32_t>(source));
    for (std::size_t pass = 0; !pass_.empty(); ++pass) {
      if (pass == arcs.num_vertices() + 1) return solve_outcome::not_converged;
      for (const std::uint32_t u : pass_) {
        next_.is_queued[u] = 0;
        relax(u, next_);
        if (check.after(arcs.end(u) - arcs.begin(u))) return solve_outcome::stopped;
      }
      pass_.swap(next_.vertices);
      next_.vertices.clear();
    }
    return solve_outcome::finished;
  }

 private:
  // The vertices of the next pass, without duplicates.
  struct queue {
    explicit queue(std::size_t num_vertices) : is_queued(num_vertices, 0) {
      vertices.reserve(num_vertices);
    }
    template <class C>
    void push_or_decrease(std::size_t v, const C&) {
      if (!std::exchange(is_queued[v], char{1})) vertices.push_back(static_cast<std::uint32_t>(v));
    }
    std::vector<std::uint32_t> vertices;
    std::vector<char> is_queued;
  };

  std::vector<std::uint32_t> pass_;
  queue next_;
};

/// Bellman–Ford with a queue of improved vertices, processed in passes: O(n m), and it ends with
/// the last improvement. Sources: Bellman 1958; Moore 1959 for the queue.
template <path_algebra P>
class bellman_ford_solver {
  using C = typename P::value_type;
  static constexpr bool is_sum = std::is_same_v<P, summed<C>>;

 public:
  bellman_ford_solver(const per_source_problem<C>& problem, const P& paths)
      : paths_(paths),
        arcs_(problem.arcs),
        limit_(problem.limit),
        may_record_loops_(!is_sum || (problem.has_negative_weight && !is_coded_integer<C>)),
        passes_(problem.arcs.num_vertices()),
        seen_from_(problem.with_predecessors && may_record_loops_ ? problem.arcs.num_vertices()
                                                                  : 0) {}

  /// Fills rows that are initialized to `none()` and -1 (null: no predecessors). Returns
  /// `not_converged` if rounding makes a cycle improve a path.
  solve_outcome solve(std::size_t source, C* distances, std::int32_t* predecessors,
                      const monitor& watch) {
    distances[source] = paths_.start();
    const searched_row<C> row{limit_, distances, predecessors};
    const solve_outcome outcome =
        passes_.run(arcs_, source, watch, [&](std::size_t u, auto& queue) {
          const C distance = distances[u];
          relax_arcs(paths_, arcs_, u, distance, row, queue);
        });
    if (outcome != solve_outcome::finished || predecessors == nullptr || !may_record_loops_ ||
        !has_loop(predecessors, arcs_.num_vertices(), source, seen_from_)) {
      return outcome;
    }
    if constexpr (is_sum) {
      build_tree(arcs_, source, sum_slack(arcs_, distances), predecessors);
      return outcome;
    } else {
      return solve_outcome::not_converged;
    }
  }

 private:
  [[no_unique_address]] P paths_;
  adjacency_view<C> arcs_;
  C limit_;
  /// With rounding, predecessors may form a cycle although the cycle of arcs improves nothing.
  bool may_record_loops_;
  vertex_passes passes_;
  std::vector<std::int32_t> seen_from_;  ///< Allocated before a row is written.
};

}  // namespace apsp::inline v1::detail::host
