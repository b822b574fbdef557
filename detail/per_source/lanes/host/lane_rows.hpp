// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../graph/trees.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../matrix/host/decay_kernel.hpp"
#include "../../../matrix/host/row_kernel.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/decay.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/weight_types.hpp"
#include "../../problem/problem.hpp"
#include "lane_kernel.hpp"

namespace apsp::inline v1::detail::host {

/// The arcs into each vertex, from which the last arc of each best path is chosen. Of equally good
/// ones the first becomes the predecessor: heavier arcs come from nearer vertices, so cycles of
/// weight 0 are rarely chosen.
template <class S, class T = typename S::value_type>
adjacency<T> last_arcs(const path_values<S>& values, const adjacency_view<T>& outgoing) {
  adjacency<T> arcs = reversed_arcs(outgoing);
  std::vector<std::pair<T, std::size_t>> of_vertex;
  std::vector<std::int32_t> sources;
  for (std::size_t v = 0; v < outgoing.num_vertices(); ++v) {
    const auto begin = static_cast<std::size_t>(arcs.offsets[v]);
    const auto end = static_cast<std::size_t>(arcs.offsets[v + 1]);
    of_vertex.clear();
    // Numbered from the end: of equally good ones the first comes first when all are reversed.
    sources.assign(arcs.targets.begin() + arcs.offsets[v],
                   arcs.targets.begin() + arcs.offsets[v + 1]);
    for (std::size_t a = begin; a < end; ++a) {
      of_vertex.emplace_back(arcs.weights[a], end - 1 - a);
    }
    sort_best_first(values, of_vertex);
    for (std::size_t a = begin; a < end; ++a) {
      const auto& [weight, number] = of_vertex[end - 1 - a];
      arcs.weights[a] = weight;
      arcs.targets[a] = sources[end - 1 - begin - number];
    }
  }
  return arcs;
}

/// The rows of a batch of sources whose paths are stored in lanes, on their way to the output.
template <class S>
class lane_rows {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;
  using index = typename kernel_table::index;

 public:
  /// @param order  all vertices, those near each other close together.
  lane_rows(const kernel_table& kernels, const path_values<S>& values,
            const per_source_problem<T>& problem, std::span<const std::int32_t> order,
            solver_output<T>& output)
      : kernels_(kernels),
        values_(values),
        lane_values_{values.one, values.none, values.none_from, no_path_of(values)},
        problem_(problem),
        order_(order),
        output_(output),
        amounts_(problem.with_predecessors ? nullptr : output.amounts()),
        takes_totals_(can_take_totals(problem, output)),
        has_targets_(problem.by_reached && !problem.targets.empty()) {
    if (problem.with_predecessors) last_arcs_ = last_arcs(values, problem.arcs);
  }

  /// Predecessors are found among other arcs from now on.
  /// @param arcs  made by `last_arcs`
  void replace_last_arcs(adjacency<T>&& arcs) noexcept { last_arcs_ = std::move(arcs); }

  /// What one thread needs; `paths` has an entry for each vertex and lane, by vertex.
  struct workspace {
    /// @param num_entries  of `paths`, for each lane.
    workspace(const lane_rows& call, std::size_t num_entries)
        : paths(call.lanes_of(num_entries)),
          predecessors(call.lanes_of(call.num_tree_vertices())),
          doubtful(call.num_tree_vertices()),
          seen_from(call.num_tree_vertices(), 0),
          rows(call.takes_totals_ ? 0 : call.kernels_.num_rows * call.num_vertices()),
          predecessor_rows(call.kernels_.num_rows * call.num_tree_vertices()) {}

    untouched_buffer<T> paths;
    untouched_buffer<index> predecessors;
    untouched_buffer<std::int32_t> doubtful;
    std::size_t num_doubtful = 0;
    std::vector<std::int64_t> seen_from;  ///< By vertex: the start of the last path through it.
    std::int64_t next_start = 1;
    untouched_buffer<T> rows;  ///< For outputs without memory for rows.
    untouched_buffer<std::int32_t> predecessor_rows;
  };

  static bool can_take_totals(const per_source_problem<T>& problem,
                              const solver_output<T>& output) {
    return can_add_up && (output.takes_totals() || output.amounts() != nullptr) &&
           !problem.with_predecessors;
  }
  /// The bytes that are kept for a vertex and lane.
  static std::size_t bytes_of_entry(const per_source_problem<T>& problem) {
    return sizeof(T) + (problem.with_predecessors ? sizeof(index) : 0);
  }
  /// True if rows are not to be finished, but their totals, or sums of amounts.
  bool takes_totals() const { return takes_totals_; }
  /// True if only the paths to the targets of the problem are read.
  bool has_targets() const { return has_targets_; }
  const typename kernel_table::values_of_lanes& lane_values() const { return lane_values_; }
  std::size_t lanes_of(std::size_t count) const { return count * kernels_.num_lanes; }

  /// Finishes the first @p count lanes of `paths`.
  /// @param rows  the numbers of their rows.
  void finish(std::size_t count, const std::size_t* rows, workspace& mine, monitor& watch) const {
    if (has_targets_) return finish_targets(count, rows, mine, watch);
    if (problem_.with_predecessors) find_predecessors(mine, count, rows);
    for (std::size_t lane = 0; lane < count && !watch.stop_requested(); lane += kernels_.num_rows) {
      finish_rows(lane, std::min(kernels_.num_rows, count - lane), rows + lane, mine, watch);
    }
  }

  /// The entries whose distances are added up together, which stay in the first-level cache.
  static constexpr std::size_t entries_together = 64;

  /// Sums of the distances of a batch.
  struct totals {
    totals(const lane_rows& call, std::size_t count)
        : records(count), segments(call.kernels_.num_lanes) {
      if (call.amounts_ == nullptr) return;
      amounts.resize(call.lanes_of(call.amounts_->num_sums()));
      if (call.amounts_->rule.kind != decay_kind::step) {
        shares.resize(call.lanes_of(entries_together));
      }
    }
    std::vector<row_record<T>> records;
    std::vector<segment_totals<T>> segments;
    std::vector<double> amounts;  ///< A row of lanes for each sum.
    std::vector<double> shares;
  };
  /// Entries of `paths`, at most `entries_together`: those of `vertices`, which are numbered from
  /// `begin` on in some order.
  struct segment {
    std::size_t begin;
    std::size_t size;
    const std::int32_t* vertices;
    T* paths;
  };

  /// Segments are parts of this list of vertices from now on, and not of all in order.
  void order_amounts(std::span<const std::int32_t> passed) {
    if (amounts_ == nullptr) return;
    ordered_amounts_.reserve(passed.size() * amounts_->num_columns);
    for (std::size_t c = 0; c < amounts_->num_columns; ++c) {
      const double* const column = amounts_->amounts.data() + c * num_vertices();
      for (const std::int32_t v : passed) {
        ordered_amounts_.push_back(column[static_cast<std::size_t>(v)]);
      }
    }
  }

  /// Adds the distances of a segment, except for those of the sources, or amounts at all of them.
  /// @param positions  of the source of each lane, in the order of the segment.
  void add_up(const segment& part, const std::int32_t* positions, totals& sums) const {
    if constexpr (can_add_up) {
      const std::size_t lanes = kernels_.num_lanes;
      const T largest = std::is_integral_v<T> ? static_cast<T>(values_.none_from - 1)
                                              : std::numeric_limits<T>::max();
      for (std::size_t lane = 0; lane < sums.records.size(); ++lane) {
        const std::size_t own = static_cast<std::size_t>(positions[lane]) - part.begin;
        if (own >= part.size) continue;
        // Because of rounding, a cycle through the source may look better than the empty path.
        part.paths[own * lanes + lane] =
            amounts_ == nullptr ? lane_values_.stored_none : lane_values_.one;
      }
      if (amounts_ != nullptr) return add_amounts(part, largest, sums);
      choose_segment_kernels<T>().sum_rows(part.paths, part.size, lanes, largest,
                                           sums.segments.data());
      for (std::size_t lane = 0; lane < sums.records.size(); ++lane) {
        const auto find = [&](const T& distance) {
          std::int32_t first = std::numeric_limits<std::int32_t>::max();
          for (std::size_t i = 0; i < part.size; ++i) {
            if (part.paths[i * lanes + lane] == distance) first = std::min(first, part.vertices[i]);
          }
          return first;
        };
        add_segment(sums.segments[lane], true, find, sums.records[lane]);
      }
    }
  }
  void finish_totals(const std::size_t* rows, const totals& sums, monitor& watch) const {
    std::vector<double> of_row(amounts_ == nullptr ? 0 : amounts_->num_sums());
    for (std::size_t lane = 0; lane < sums.records.size(); ++lane) {
      if (amounts_ == nullptr) {
        output_.finish_totals(rows[lane], sums.records[lane]);
      } else {
        for (std::size_t j = 0; j < of_row.size(); ++j) {
          of_row[j] = sums.amounts[lanes_of(j) + lane];
        }
        output_.finish_sums(rows[lane], of_row);
      }
    }
    watch.advance(sums.records.size());
  }

 private:
  void add_amounts(const segment& part, const T& largest, totals& sums) const {
    if constexpr (can_add_up) {
      const std::size_t lanes = kernels_.num_lanes;
      double* const shares = sums.shares.empty() ? nullptr : sums.shares.data();
      if (shares != nullptr) {
        choose_decay_kernels<T>().find_shares(amounts_->rule, part.paths, lanes_of(part.size),
                                              shares);
      }
      const std::span<const double> all =
          ordered_amounts_.empty() ? amounts_->amounts : std::span(ordered_amounts_);
      const std::size_t num_passed = all.size() / amounts_->num_columns;
      std::vector<added_amounts<T>> wanted;
      wanted.reserve(amounts_->num_sums());
      for (std::size_t j = 0; j < amounts_->num_sums(); ++j) {
        wanted.push_back({all.data() + amounts_->column_of(j) * num_passed + part.begin,
                          std::min(amounts_->limit_of(j), largest),
                          sums.amounts.data() + lanes_of(j)});
      }
      choose_segment_kernels<T>().add_amounts_of_rows(part.paths, shares, part.size, lanes,
                                                      wanted.data(), wanted.size());
    }
  }

  static T no_path_of(const path_values<S>& values) {
    if constexpr (std::is_same_v<S, min_plus<T>>) {
      return no_path<T>();
    } else {
      return values.none;
    }
  }
  std::size_t num_vertices() const { return order_.size(); }
  /// The size of what is only needed for predecessors.
  std::size_t num_tree_vertices() const { return problem_.with_predecessors ? num_vertices() : 0; }
  std::size_t source_of(std::size_t row) const {
    return static_cast<std::size_t>(problem_.sources[row]);
  }

  void find_predecessors(workspace& mine, std::size_t count, const std::size_t* rows) const {
    mine.num_doubtful = kernels_.find_predecessors(
        values_.semiring, lane_values_, num_vertices(),
        {.vertices = order_.data(),
         .offsets = last_arcs_.offsets.data(),
         .sources = last_arcs_.targets.data(),
         .weights = last_arcs_.weights.data()},
        mine.paths.data(), {mine.predecessors.data(), mine.doubtful.data()});
    // A source has no predecessor, whatever the arcs into it.
    for (std::size_t lane = 0; lane < count; ++lane) {
      mine.predecessors.data()[lanes_of(source_of(rows[lane])) + lane] = -1;
    }
  }

  /// Passes on the entries of the targets; no others have been computed.
  void finish_targets(std::size_t count, const std::size_t* rows, workspace& mine,
                      monitor& watch) const {
    T* const row = mine.rows.data();
    for (std::size_t lane = 0; lane < count && !watch.stop_requested(); ++lane) {
      const std::size_t source = source_of(rows[lane]);
      for (const std::int32_t t : problem_.targets) {
        const auto v = static_cast<std::size_t>(t);
        const T& path = mine.paths.data()[lanes_of(v) + lane];
        row[v] = values_.is_path(path) ? path : lane_values_.stored_none;
        // Because of rounding, a cycle through the source may look better than the empty path.
        if (v == source) row[v] = values_.one;
        if (v != source && has_limit() && values_.is_better(problem_.limit, row[v])) {
          row[v] = lane_values_.stored_none;
        }
      }
      output_.finish_reached(rows[lane], row, {});
      watch.advance(1);
    }
  }

  void finish_rows(std::size_t lane, std::size_t count, const std::size_t* rows, workspace& mine,
                   monitor& watch) const {
    const std::size_t n = num_vertices();
    T* distances[max_rows];
    std::int32_t* predecessors[max_rows] = {};
    for (std::size_t i = 0; i < kernels_.num_rows; ++i) {
      distances[i] = i < count ? output_.distances(rows[i]) : nullptr;
      if (distances[i] == nullptr) distances[i] = mine.rows.data() + i * n;
      if (!problem_.with_predecessors) continue;
      predecessors[i] = i < count ? output_.predecessors(rows[i]) : nullptr;
      if (predecessors[i] == nullptr) predecessors[i] = mine.predecessor_rows.data() + i * n;
    }
    kernels_.write_rows(values_.semiring, lane_values_, n, mine.paths.data(), lane, distances);
    if (problem_.with_predecessors) {
      kernels_.write_predecessors(n, mine.predecessors.data(), lane, predecessors);
    }
    for (std::size_t i = 0; i < count && !watch.stop_requested(); ++i) {
      if (problem_.with_predecessors &&
          needs_repair(source_of(rows[i]), mine, distances[i], predecessors[i])) {
        repair_tree(source_of(rows[i]), distances[i], predecessors[i]);
      }
      if (has_limit()) forget_beyond_limit(source_of(rows[i]), distances[i], predecessors[i]);
      output_.finish(rows[i], distances[i], predecessors[i]);
      watch.advance(1);
    }
  }

  /// True if the predecessors of a row are not a tree of the vertices with a path. A loop contains
  /// a vertex whose predecessor is not nearer, so only the paths from these are followed. A vertex
  /// without a predecessor, because sums along its arcs overflow, is marked for the repair.
  bool needs_repair(std::size_t source, workspace& mine, const T* distances,
                    std::int32_t* predecessors) const {
    const auto is_doubtful = [&](std::int32_t v) {
      const std::int32_t u = predecessors[v];
      return u >= 0 && !values_.is_better(distances[u], distances[v]);
    };
    // No path gets worse towards its start, unless by rounding or negative weights.
    const bool stays_better = is_coded_integer<T> && !problem_.has_negative_weight;
    const std::int64_t before_this_row = mine.next_start;
    bool found = false;
    for (std::size_t i = 0; i < mine.num_doubtful; ++i) {
      const auto v = static_cast<std::size_t>(mine.doubtful.data()[i]);
      if (v == source || predecessors[v] >= 0 || !values_.is_path(distances[v])) continue;
      predecessors[v] = static_cast<std::int32_t>(source);
      found = true;
    }
    for (std::size_t i = 0; i < mine.num_doubtful && !found; ++i) {
      const std::int64_t start = mine.next_start++;
      std::int32_t v = mine.doubtful.data()[i];
      if (!is_doubtful(v)) continue;
      while (v >= 0 && mine.seen_from[static_cast<std::size_t>(v)] < before_this_row) {
        mine.seen_from[static_cast<std::size_t>(v)] = start;
        if (stays_better && !is_doubtful(v)) break;
        v = predecessors[v];
      }
      found = v >= 0 && mine.seen_from[static_cast<std::size_t>(v)] == start &&
              (!stays_better || is_doubtful(v));
    }
    return found;
  }

  bool has_limit() const { return values_.is_better(problem_.limit, values_.none); }
  // Extending a path never improves it, so what is kept of a tree is a tree.
  void forget_beyond_limit(std::size_t source, T* distances, std::int32_t* predecessors) const {
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      if (v == source || !values_.is_better(problem_.limit, distances[v])) continue;
      distances[v] = lane_values_.stored_none;
      if (predecessors != nullptr) predecessors[v] = -1;
    }
  }

  void repair_tree(std::size_t source, const T* distances, std::int32_t* predecessors) const {
    if constexpr (std::is_same_v<S, min_plus<T>>) {
      build_tree(problem_.arcs, source, sum_slack(problem_.arcs, distances), predecessors);
    } else {
      const auto through = [&](std::size_t u, std::size_t a) -> T {
        return values_.times(distances[u], problem_.arcs.weights[a]);
      };
      build_tree(problem_.arcs, source, value_slack(problem_.arcs, distances, through),
                 predecessors);
    }
  }

  static constexpr std::size_t max_rows = 16;
  static constexpr bool can_add_up = std::is_same_v<S, min_plus<T>> && has_compiled_kernels<T>;

  const kernel_table& kernels_;
  path_values<S> values_;
  typename kernel_table::values_of_lanes lane_values_;
  const per_source_problem<T>& problem_;
  std::span<const std::int32_t> order_;
  solver_output<T>& output_;
  const weighed_amounts<T>* amounts_;    ///< Null if none are added up.
  std::vector<double> ordered_amounts_;  ///< Empty if segments have all vertices in order.
  bool takes_totals_;
  bool has_targets_;
  adjacency<T> last_arcs_;
};

}  // namespace apsp::inline v1::detail::host
