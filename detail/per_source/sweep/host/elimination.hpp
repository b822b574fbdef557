// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../values/int128.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../lanes/host/lane_kernel.hpp"
#include "../../lanes/host/lane_rows.hpp"
#include "../../problem/problem.hpp"
#include "target_lines.hpp"

namespace apsp::inline v1::detail::host {

/// Solves for batches of sources by sweeps over a hierarchy: along the ancestors of the sources,
/// and from there down to all vertices, or down along the ancestors of the targets alone. Source:
/// Delling, Goldberg, Nowatzyk, Werneck 2013.
template <class S>
class sweep_solver {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;
  using batch_rows = lane_rows<S>;
  using lanes_above = typename kernel_table::ancestors;
  struct place_range {
    std::size_t begin;
    std::size_t end;
    std::size_t num_before;  ///< Places of the ranges before.
  };

 public:
  /// @param problem  its arcs have weights that are coded as @p values says.
  sweep_solver(const hierarchy<T>& graph, const path_values<S>& values,
               const per_source_problem<T>& problem, int threads, solver_output<T>& output)
      : graph_(graph),
        threads_(threads),
        kernels_(choose_kernels(problem, output, threads)),
        values_(values),
        problem_(problem),
        rows_(kernels_, values, problem, graph.tree->vertices, output),
        rows_by_place_(numbers_by_place(*graph.tree, problem.sources)),
        wanted_(wanted_places()) {
    if (rows_.has_targets()) passed_ = vertices_of_wanted();
    rows_.order_amounts(passed_vertices());
    if (prefers_lines()) lines_.emplace(graph, values, problem.targets, threads);
  }

  solve_outcome solve(monitor& watch) {
    const std::size_t lanes = kernels_.num_lanes;
    const std::size_t num_batches = (rows_by_place_.size() + lanes - 1) / lanes;
    watch.note_batch(std::min(lanes, rows_by_place_.size()));
    parallel_for_with_workspace(
        num_batches, threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t batch) {
          if (!watch.stop_requested()) solve_batch(batch * lanes, mine, watch);
        });
    return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
  }

 private:
  struct workspace {
    explicit workspace(const sweep_solver& call)
        : lane_places(call.kernels_.num_lanes),
          stack(call.lanes_of(static_cast<std::size_t>(call.graph_.tree->height)),
                call.values_.none),
          values_above(call.lanes_of(call.most_ancestors())),
          rows(call.rows_,
               call.rows_.takes_totals() ? batch_rows::entries_together : call.num_vertices()) {
      above.reserve(call.most_ancestors());
      if (call.lines_) rows_by_depth.resize(static_cast<std::size_t>(call.graph_.tree->height));
    }

    std::vector<std::int32_t> lane_places;
    std::vector<T> stack;
    std::vector<std::int32_t> above;
    std::vector<std::int32_t> rows_by_depth;
    untouched_buffer<T> values_above;
    typename batch_rows::workspace rows;
  };

  /// Narrow batches for few sources, since memory that is written for the first time takes longer
  /// than the sweeps do, and for large graphs.
  const kernel_table& choose_kernels(const per_source_problem<T>& problem,
                                     const solver_output<T>& output, int threads) const {
    const bool takes_totals = batch_rows::can_take_totals(problem, output);
    const std::size_t least_batches = takes_totals ? 1 : 4;  // Of each thread.
    constexpr double most_bytes = 4e9;
    const kernel_table& wide = choose_lane_kernels<S>(batch_width::wide);
    const std::size_t num_lanes = static_cast<std::size_t>(thread_count(threads)) * wide.num_lanes;
    // Of each lane. For totals only the values of the ancestors are kept.
    const std::size_t num_kept =
        takes_totals ? std::min(num_vertices(),
                                static_cast<std::size_t>(graph_.tree->height) * wide.num_lanes)
                     : num_vertices();
    const double bytes = static_cast<double>(num_kept) *
                         static_cast<double>(num_lanes * batch_rows::bytes_of_entry(problem));
    const bool is_narrow = problem.sources.size() < least_batches * num_lanes || bytes > most_bytes;
    return is_narrow ? choose_lane_kernels<S>(batch_width::narrow) : wide;
  }

  std::size_t num_vertices() const { return graph_.tree->num_vertices(); }
  /// The places to sweep down to, ascending: all, or the targets and their ancestors.
  std::vector<place_range> wanted_places() const {
    if (!rows_.has_targets()) return {{0, num_vertices(), 0}};
    std::vector<std::int32_t> places;
    for (const std::int32_t t : problem_.targets) {
      places.push_back(graph_.tree->places[static_cast<std::size_t>(t)]);
    }
    std::sort(places.begin(), places.end(), std::greater<>{});
    std::vector<std::int32_t> found;
    find_ancestors(*graph_.tree, places, found);
    std::vector<place_range> ranges;
    for (auto i = found.rbegin(); i != found.rend(); ++i) {
      const auto place = static_cast<std::size_t>(*i);
      if (ranges.empty() || ranges.back().end != place) {
        ranges.push_back({place, place, static_cast<std::size_t>(i - found.rbegin())});
      }
      ++ranges.back().end;
    }
    return ranges;
  }
  std::vector<std::int32_t> vertices_of_wanted() const {
    std::vector<std::int32_t> vertices;
    for (const place_range& range : wanted_) {
      const auto all = graph_.tree->vertices.begin();
      vertices.insert(vertices.end(), all + static_cast<std::ptrdiff_t>(range.begin),
                      all + static_cast<std::ptrdiff_t>(range.end));
    }
    return vertices;
  }
  /// The vertices of the wanted places, ascending by place.
  std::span<const std::int32_t> passed_vertices() const {
    return rows_.has_targets() ? std::span(passed_) : std::span(graph_.tree->vertices);
  }
  /// The position of a place among the wanted ones; -1 if it is not one of them.
  std::int32_t position_of(std::int32_t place) const {
    const auto p = static_cast<std::size_t>(place);
    const auto next = std::upper_bound(wanted_.begin(), wanted_.end(), p,
                                       [](std::size_t x, const auto& r) { return x < r.begin; });
    if (next == wanted_.begin() || p >= next[-1].end) return -1;
    return static_cast<std::int32_t>(next[-1].num_before + p - next[-1].begin);
  }
  /// A bound of the number of places that the sources of a batch lead up to.
  std::size_t most_ancestors() const {
    return std::min(num_vertices(), lanes_of(static_cast<std::size_t>(graph_.tree->height)));
  }
  std::size_t lanes_of(std::size_t count) const { return count * kernels_.num_lanes; }
  std::int32_t place_of(std::size_t row) const {
    return graph_.tree->places[static_cast<std::size_t>(problem_.sources[row])];
  }

  void solve_batch(std::size_t first, workspace& mine, monitor& watch) {
    const std::size_t count = std::min(kernels_.num_lanes, rows_by_place_.size() - first);
    const std::size_t* const rows = rows_by_place_.data() + first;
    // Unused lanes repeat the last source.
    for (std::size_t lane = 0; lane < kernels_.num_lanes; ++lane) {
      mine.lane_places[lane] = place_of(rows[std::min(lane, count - 1)]);
    }
    find_ancestors(*graph_.tree, mine.lane_places, mine.above);
    const lanes_above above{mine.above.size(), mine.above.data(), mine.values_above.data()};
    const elimination_tree& tree = *graph_.tree;
    kernels_.up(values_.semiring, rows_.lane_values(),
                {graph_.up_offsets.data(), graph_.up.data(), tree.depths.data()},
                {mine.lane_places.data(), consecutive.data()}, mine.stack.data(), above);
    if (rows_.takes_totals()) {
      typename batch_rows::totals sums(rows_, count);
      add_up(above, mine, sums);
      rows_.finish_totals(rows, sums, watch);
    } else {
      find_paths_below(above, mine);
    }
    // The next batch expects it so.
    std::fill(mine.stack.begin(), mine.stack.end(), values_.none);
    if (!rows_.takes_totals()) rows_.finish(count, rows, mine.rows, watch);
  }

  void find_paths_below(lanes_above above, workspace& mine) const {
    if (lines_) return turn_above(above, mine);
    for (const place_range& range : wanted_) {
      sweep_down(range.begin, range.end, graph_.tree->vertices.data() + range.begin, above, mine);
    }
  }

  /// True if it takes less time to turn at each common ancestor of a source and a target than to
  /// sweep along the arcs of the ancestors of all targets.
  bool prefers_lines() const {
    if constexpr (has_vectors<S>) {
      if (!rows_.has_targets() || rows_.takes_totals() || problem_.sources.empty()) return false;
      double num_arcs = 0;
      double num_places = 0;
      for (const place_range& range : wanted_) {
        num_arcs +=
            static_cast<double>(graph_.down_offsets[range.end] - graph_.down_offsets[range.begin]);
        num_places += static_cast<double>(range.end - range.begin);
      }
      constexpr double turn = 0.4;  // Of the time for an arc.
      constexpr double place = 4;
      const double depth =
          target_lines<S>::mean_depth_in_common(*graph_.tree, problem_.sources, problem_.targets);
      return static_cast<double>(problem_.targets.size()) * depth * turn <
             num_arcs + place * num_places;
    } else {
      return false;
    }
  }

  /// The number of ancestors that some places have in common. Subtrees are ranges of places, so
  /// they are those of the first and the last one.
  std::size_t num_common_ancestors(const std::vector<std::int32_t>& places) const {
    const elimination_tree& tree = *graph_.tree;
    const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    const auto [first, last] = std::minmax_element(places.begin(), places.end());
    std::int32_t a = *first;
    std::int32_t b = *last;
    while (a != b && a >= 0 && b >= 0) {
      std::int32_t& deeper = tree.depths[at(a)] >= tree.depths[at(b)] ? a : b;
      deeper = tree.parents[at(deeper)];
    }
    return a == b && a >= 0 ? at(tree.depths[at(a)]) + 1 : 0;
  }

  /// Finds the paths to the targets, each of which turns at an ancestor of both of its ends.
  void turn_above(const lanes_above& above, workspace& mine) const {
    if constexpr (has_vectors<S>) {
      const std::size_t lanes = kernels_.num_lanes;
      // The ancestors of all sources come last, in the order of their depths.
      std::vector<std::int32_t>& rows = mine.rows_by_depth;
      const elimination_tree& tree = *graph_.tree;
      const auto place_at = [&](std::size_t depth) {
        return above.places[above.count - 1 - depth];
      };
      const std::size_t num_common = num_common_ancestors(mine.lane_places);
      for (std::size_t depth = 0; depth < num_common; ++depth) {
        rows[depth] = static_cast<std::int32_t>(above.count - 1 - depth);
      }
      constexpr std::size_t together = 8;
      const T* lines[together];
      T* paths[together];
      std::size_t ends[together];
      for (std::size_t first = 0; first < lines_->size(); first += together) {
        const std::size_t count = std::min(together, lines_->size() - first);
        std::size_t least = num_common;
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t target = first + i;
          const auto ancestors = lines_->ancestors_of(target);
          lines[i] = lines_->paths_to(target);
          const auto v = static_cast<std::size_t>(
              tree.vertices[static_cast<std::size_t>(lines_->place_of(target))]);
          paths[i] = mine.rows.paths.data() + v * lanes;
          std::fill_n(paths[i], lanes, values_.none);
          std::size_t end = 0;
          const std::size_t most = std::min(num_common, ancestors.size());
          std::size_t size = most;
          while (size > 0) {  // The first depth at which the ancestors differ.
            const std::size_t half = size / 2;
            if (ancestors[end + half] == place_at(end + half)) {
              end += half + 1;
              size -= half + 1;
            } else {
              size = half;
            }
          }
          ends[i] = end;
          least = std::min(least, end);
        }
        kernels_.join(values_.semiring, {above.values, rows.data(), 0, least}, lines, count, paths);
        for (std::size_t i = 0; i < count; ++i) {
          std::size_t end = ends[i];
          const auto ancestors = lines_->ancestors_of(first + i);
          // Below the ancestors of all sources there are those of some.
          if (end == num_common) {
            for (; end < ancestors.size(); ++end) {
              const auto* const found = std::lower_bound(above.places, above.places + above.count,
                                                         ancestors[end], std::greater<>{});
              if (found == above.places + above.count || *found != ancestors[end]) break;
              rows[end] = static_cast<std::int32_t>(found - above.places);
            }
          }
          kernels_.join(values_.semiring, {above.values, rows.data(), least, end}, lines + i, 1,
                        paths + i);
        }
      }
    }
  }

  /// @param above  without places behind a part before; those before @p end are removed.
  void sweep_down(std::size_t begin, std::size_t end, const std::int32_t* positions,
                  lanes_above& above, workspace& mine) const {
    while (above.count != 0 && static_cast<std::size_t>(above.places[above.count - 1]) < begin) {
      --above.count;
    }
    above.count =
        kernels_.down(values_.semiring, rows_.lane_values(),
                      {graph_.down_offsets.data(), graph_.down.data(), graph_.tree->depths.data()},
                      {begin, end, positions}, above, {mine.stack.data(), mine.rows.paths.data()});
  }

  /// Sweeps down and adds the distances up while they are in the first-level cache.
  void add_up(lanes_above above, workspace& mine, typename batch_rows::totals& sums) const {
    if (rows_.has_targets()) {
      for (std::int32_t& place : mine.lane_places) place = position_of(place);
    }
    std::size_t begin = 0;
    std::size_t size = 0;
    const auto add = [&] {
      rows_.add_up({begin, size, passed_vertices().data() + begin, mine.rows.paths.data()},
                   mine.lane_places.data(), sums);
      begin += size;
      size = 0;
    };
    for (const place_range& range : wanted_) {
      for (std::size_t place = range.begin; place < range.end;) {
        const std::size_t end = std::min(range.end, place + batch_rows::entries_together - size);
        sweep_down(place, end, consecutive.data() + size, above, mine);
        size += end - place;
        place = end;
        if (size == batch_rows::entries_together) add();
      }
    }
    if (size != 0) add();
  }

  static constexpr auto consecutive = [] {
    std::array<std::int32_t, batch_rows::entries_together> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    return numbers;
  }();

  const hierarchy<T>& graph_;
  int threads_;
  const kernel_table& kernels_;
  path_values<S> values_;
  const per_source_problem<T>& problem_;
  batch_rows rows_;
  std::vector<std::size_t> rows_by_place_;
  std::vector<place_range> wanted_;
  std::vector<std::int32_t> passed_;  ///< Their vertices if they are not all.
  std::optional<target_lines<S>> lines_;
};

/// Solves for the sources of @p problem.
template <class S>
APSP_EXPORT solve_outcome sweep(const hierarchy<typename S::value_type>& graph,
                                const path_values<S>& values,
                                const per_source_problem<typename S::value_type>& problem,
                                int threads, solver_output<typename S::value_type>& output,
                                monitor& watch) {
  return sweep_solver<S>(graph, values, problem, threads, output).solve(watch);
}

#define APSP_EXTERN_SWEEP(...)                                                             \
  extern template solve_outcome sweep<__VA_ARGS__>(                                        \
      const hierarchy<typename __VA_ARGS__::value_type>&, const path_values<__VA_ARGS__>&, \
      const per_source_problem<typename __VA_ARGS__::value_type>&, int,                    \
      solver_output<typename __VA_ARGS__::value_type>&, monitor&);
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SWEEP)
APSP_EXTERN_SWEEP(min_plus<long double>)
#undef APSP_EXTERN_SWEEP

}  // namespace apsp::inline v1::detail::host
