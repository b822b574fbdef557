// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../plan/rates.hpp"
#include "../../../values/computed_type.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/int128.hpp"
#include "../../../values/weight_types.hpp"
#include "../../problem/paths.hpp"
#include "../../problem/problem.hpp"
#include "bellman_ford.hpp"
#include "breadth_first_search.hpp"
#include "bucket_dijkstra.hpp"
#include "dijkstra.hpp"
#include "lanes.hpp"
#include "short_lanes.hpp"

namespace apsp::inline v1::detail::host {

/// A solver that lists the vertices whose entries it has written.
template <class Solver>
concept lists_reached = requires(const Solver& solver) { solver.reached(); };

/// Lists of fewer than this part of all vertices are read in place of whole rows, which are read
/// without jumps.
inline constexpr std::size_t part_of_few = 8;

/// Solves for one source after another with @p Solver, which reuses its workspace. Sources are
/// assigned to threads dynamically.
/// @param rows  to solve for; all if none are given.
template <class Solver, path_algebra P, class C = typename P::value_type>
solve_outcome solve_sources(const per_source_problem<C>& problem, const P& paths, int threads,
                            solver_output<C>& output, monitor& watch,
                            std::span<const std::size_t> rows = {}) {
  const std::size_t n = problem.arcs.num_vertices();
  struct workspace {
    workspace(const per_source_problem<C>& p, const P& algebra)
        : solver(p, algebra),
          distances(p.arcs.num_vertices(), algebra.none()),
          predecessors(p.with_predecessors ? p.arcs.num_vertices() : 0) {}
    Solver solver;
    std::vector<C> distances;
    std::vector<std::int32_t> predecessors;
  };
  std::atomic<bool> converged = true;
  parallel_for_with_workspace(
      rows.empty() ? problem.sources.size() : rows.size(), threads,
      [&] { return workspace(problem, paths); },
      [&](workspace& mine, std::size_t i) {
        const std::size_t row = rows.empty() ? i : rows[i];
        if (watch.stop_requested() || !converged.load(std::memory_order_relaxed)) return;
        const auto source = static_cast<std::size_t>(problem.sources[row]);
        if constexpr (lists_reached<Solver>) {
          // Between two searches all entries of the workspace are none().
          if (problem.by_reached) {
            C* const own = mine.distances.data();
            if (mine.solver.solve(source, own, nullptr, watch) != solve_outcome::finished) return;
            const auto& reached = mine.solver.reached();
            const bool are_few = reached.size() < n / part_of_few;
            if (are_few || !problem.targets.empty()) {
              output.finish_reached(row, own, reached);
            } else {
              output.finish(row, own, nullptr);
            }
            if (are_few) {
              for (const std::uint32_t v : reached) own[v] = paths.none();
            } else {
              std::fill_n(own, n, paths.none());
            }
            watch.advance(1);
            return;
          }
        }
        C* distances = output.distances(row);
        if (distances == nullptr) distances = mine.distances.data();
        std::int32_t* predecessors = nullptr;
        if (problem.with_predecessors) {
          predecessors = output.predecessors(row);
          if (predecessors == nullptr) predecessors = mine.predecessors.data();
          std::fill_n(predecessors, n, -1);
        }
        std::fill_n(distances, n, paths.none());
        const solve_outcome outcome = mine.solver.solve(source, distances, predecessors, watch);
        if (outcome == solve_outcome::not_converged) converged = false;
        if (outcome != solve_outcome::finished) return;
        output.finish(row, distances, predecessors);
        watch.advance(1);
      });
  if (!converged) return solve_outcome::not_converged;
  return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
}

/// How the values of paths are kept in lanes; nothing if they cannot be.
template <path_algebra P, class C = typename P::value_type>
auto values_for_lanes(const per_source_problem<C>& problem, const P& paths) {
  using S = typename P::semiring_type;
  if constexpr (std::is_same_v<P, summed<C>>) {
    return sums_in_lanes(problem);
  } else {
    const C& none = paths.none();
    return std::optional(
        values_in_lanes<S>{{paths.semiring, paths.start(), none, none, none}, none});
  }
}

/// Searches in lanes of 16 bits if sums of weights are probably short enough.
/// @param rows  to solve for; receives those that are left.
template <class C>
solve_outcome search_in_short_lanes(const per_source_problem<C>& problem, int threads,
                                    solver_output<C>& output, monitor& watch,
                                    std::vector<std::size_t>& rows) {
  const bool adds_up = output.takes_totals() || output.amounts() != nullptr;
  if (problem.with_predecessors || adds_up || !are_16_bits_faster()) {
    return solve_outcome::finished;
  }
  const auto weights = short_weights(problem.arcs.weights);
  if (!weights) return solve_outcome::finished;
  const adjacency_view<std::uint16_t> arcs{problem.arcs.offsets, problem.arcs.targets, *weights};
  constexpr auto none = no_path<std::uint16_t>();
  const auto limit = problem.limit < static_cast<C>(none)
                         ? static_cast<std::uint16_t>(problem.limit)
                         : static_cast<std::uint16_t>(none - 1);
  per_source_problem<std::uint16_t> shorter{problem.method, arcs,  problem.sources,
                                            limit,          false, false};
  shorter.targets = problem.targets;
  shorter.by_reached = problem.by_reached;
  const auto values = sums_in_lanes(shorter);
  if (!values) return solve_outcome::finished;
  widening_output<C> wide(arcs.num_vertices(), problem.targets, output);
  const solve_outcome outcome = search_in_lanes(shorter, *values, threads, wide, watch, rows);
  if (outcome == solve_outcome::finished && rows.empty()) {
    watch.note_type(type_name<std::uint16_t>(), no_longer_distance);
  }
  return outcome;
}

/// Bellman–Ford, for many sources at once if that is possible.
template <path_algebra P, class C = typename P::value_type>
solve_outcome solve_by_passes(const per_source_problem<C>& problem, const P& paths, int threads,
                              solver_output<C>& output, monitor& watch) {
  std::vector<std::size_t> rows(problem.sources.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if constexpr (has_vectors<typename P::semiring_type>) {
    if (rows.size() >= fewest_in_lanes) {
      solve_outcome outcome = solve_outcome::finished;
      if constexpr (std::is_same_v<P, summed<C>>) {
        outcome = search_in_short_lanes(problem, threads, output, watch, rows);
      }
      if (outcome == solve_outcome::finished && !rows.empty()) {
        if (const auto values = values_for_lanes(problem, paths)) {
          outcome = search_in_lanes(problem, *values, threads, output, watch, rows);
        }
      }
      if (outcome == solve_outcome::stopped || rows.empty()) return outcome;
    }
  }
  return solve_sources<bellman_ford_solver<P>>(problem, paths, threads, output, watch, rows);
}

/// Dijkstra's algorithm from one source after another.
template <path_algebra P, class C = typename P::value_type>
solve_outcome solve_by_distance(const per_source_problem<C>& problem, const P& paths, int threads,
                                solver_output<C>& output, monitor& watch) {
  if constexpr (std::is_same_v<P, summed<C>>) {
    if (is_dense(problem.arcs)) {
      return solve_sources<dense_dijkstra_solver<C>>(problem, paths, threads, output, watch);
    }
    if constexpr (has_buckets<C>) {
      if (choose_buckets(problem.arcs)) {
        return solve_sources<bucket_dijkstra_solver<C>>(problem, paths, threads, output, watch);
      }
    }
  }
  return solve_sources<dijkstra_solver<P>>(problem, paths, threads, output, watch);
}

/// Solves for all sources of @p problem and passes the rows to @p output.
/// @param threads  1: the calling thread; 0: OpenMP's default.
template <path_algebra P, class C = typename P::value_type>
solve_outcome solve_with_paths(const per_source_problem<C>& problem, const P& paths, int threads,
                               solver_output<C>& output, monitor& watch) {
  // The compiler names an algorithm that is not listed.
  switch (problem.method) {
    case algorithm::bellman_ford:
      return solve_by_passes(problem, paths, threads, output, watch);
    case algorithm::dijkstra:
    case algorithm::johnson:
    // Those that are not solved here.
    case algorithm::floyd_warshall:
    case algorithm::repeated_squaring:
    case algorithm::elimination:
    case algorithm::breadth_first_search:
    case algorithm::product:
    case algorithm::reduction:
    case algorithm::transitive_closure:
      break;
  }
  if constexpr (std::is_same_v<P, summed<C>> && has_vectors<min_plus<C>>) {
    constexpr std::size_t fewest_sources_each = 128;
    const auto num_threads = static_cast<std::size_t>(thread_count(threads));
    if (problem.sources.size() >= fewest_sources_each * std::max<std::size_t>(num_threads, 2)) {
      if (const auto kept = prune_arcs(problem, threads, watch)) {
        per_source_problem<C> pruned = problem;
        pruned.arcs = kept->view();
        return solve_by_distance(pruned, paths, threads, output, watch);
      }
    }
  }
  return solve_by_distance(problem, paths, threads, output, watch);
}

/// The same for sums of weights, compiled into the library for the library's weight types.
template <class C>
APSP_EXPORT solve_outcome solve_per_source(const per_source_problem<C>& problem, int threads,
                                           solver_output<C>& output, monitor& watch) {
  if (problem.method == algorithm::breadth_first_search) {
    const search_plan plan =
        plan_search(unweighted_arcs(problem.arcs), problem.sources, thread_count(threads));
    return plan.num_words == 0 ? solve_sources<breadth_first_solver<C>>(problem, summed<C>{},
                                                                        threads, output, watch)
                               : search_in_batches(problem, plan, threads, output, watch);
  }
  return solve_with_paths(problem, summed<C>{}, threads, output, watch);
}

#define APSP_EXTERN_SOLVE(C)                                                           \
  extern template solve_outcome solve_per_source<C>(const per_source_problem<C>&, int, \
                                                    solver_output<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVE)
APSP_EXTERN_SOLVE(int128)
#undef APSP_EXTERN_SOLVE

}  // namespace apsp::inline v1::detail::host
