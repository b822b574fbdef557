// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../apsp/config.hpp"
#include "../int128.hpp"
#include "../monitor.hpp"
#include "../per_source_problem.hpp"
#include "../weight_types.hpp"
#include "bellman_ford.hpp"
#include "bucket_dijkstra.hpp"
#include "dijkstra.hpp"
#include "parallel_for.hpp"

namespace apsp::detail::host {

/// Solves from one source after another with @p Solver, which keeps its workspace from one to the next.
/// Sources are shared out to threads as they become free.
/// @param unreached  what a distance is before a path is found.
template <class Solver, class Problem, class C>
solve_outcome solve_sources(const Problem& problem, const C& unreached, int threads,
                            row_sink<C>& sink, monitor& watch) {
  const std::size_t n = problem.arcs.num_vertices();
  struct workspace {
    explicit workspace(const Problem& p)
        : solver(p),
          distances(p.arcs.num_vertices()),
          predecessors(p.with_predecessors ? p.arcs.num_vertices() : 0) {}
    Solver solver;
    std::vector<C> distances;
    std::vector<std::int32_t> predecessors;
  };
  std::atomic<bool> converged = true;
  parallel_for_with_workspace(
      problem.sources.size(), threads, [&] { return workspace(problem); },
      [&](workspace& mine, std::size_t row) {
        if (watch.stop_requested() || !converged.load(std::memory_order_relaxed)) return;
        C* distances = sink.distances(row);
        if (distances == nullptr) distances = mine.distances.data();
        std::int32_t* predecessors = nullptr;
        if (problem.with_predecessors) {
          predecessors = sink.predecessors(row);
          if (predecessors == nullptr) predecessors = mine.predecessors.data();
          std::fill_n(predecessors, n, -1);
        }
        std::fill_n(distances, n, unreached);
        const auto source = static_cast<std::size_t>(problem.sources[row]);
        const solve_outcome outcome = mine.solver.solve(source, distances, predecessors, watch);
        if (outcome == solve_outcome::not_converged) converged = false;
        if (outcome != solve_outcome::finished) return;
        sink.finish(row, distances, predecessors);
        watch.advance(1);
      });
  if (!converged) return solve_outcome::not_converged;
  return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
}

/// Solves for all sources of @p problem and hands the rows to @p sink.
/// @param threads  1: the calling one; 0: as many as OpenMP gives.
template <class C>
APSP_EXPORT solve_outcome solve_per_source(const per_source_problem<C>& problem, int threads,
                                           row_sink<C>& sink, monitor& watch) {
  const C none = no_path<C>();
  if (problem.method == algorithm::bellman_ford) {
    return solve_sources<bellman_ford_solver<C>>(problem, none, threads, sink, watch);
  }
  if (is_dense(problem.arcs)) {
    return solve_sources<dense_dijkstra_solver<C>>(problem, none, threads, sink, watch);
  }
  if constexpr (has_buckets<C>) {
    if (choose_buckets(problem.arcs)) {
      return solve_sources<bucket_dijkstra_solver<C>>(problem, none, threads, sink, watch);
    }
  }
  return solve_sources<dijkstra_solver<C>>(problem, none, threads, sink, watch);
}

#define APSP_EXTERN_SOLVE(C)                                                           \
  extern template solve_outcome solve_per_source<C>(const per_source_problem<C>&, int, \
                                                    row_sink<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVE)
APSP_EXTERN_SOLVE(int128)
#undef APSP_EXTERN_SOLVE

}  // namespace apsp::detail::host
