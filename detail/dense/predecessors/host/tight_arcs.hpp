// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../../../../apsp/semiring.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../problem/problem.hpp"

namespace apsp::inline v1::detail::host {

/// Predecessors of a sparse graph whose arcs have positive weights, from its distances: these are
/// computed without predecessors, by the fastest method. An arc (p, v) is the last one of a
/// shortest path from u if d[u][p] + w(p, v) == d[u][v]; if sums are rounded, the arc with the
/// least sum is taken, and predecessors may then fail to be trees.
template <class T>
class tight_arc_search {
 public:
  /// Allocates all memory that the search needs.
  /// @param arcs  with members `source`, `target` and `weight`.
  /// @return nothing if a weight is not positive, self-loops aside.
  template <class Arc>
  static std::optional<tight_arc_search> of(std::span<const Arc> arcs, std::size_t num_vertices,
                                            int threads) {
    tight_arc_search found;
    found.begins_.resize(num_vertices + 2);
    std::size_t num_arcs = 0;
    for (const Arc& a : arcs) {
      if (a.source == a.target) continue;
      if (!(T{} < a.weight)) return std::nullopt;
      ++found.begins_[static_cast<std::size_t>(a.target) + 2];
      ++num_arcs;
    }
    for (std::size_t v = 2; v < found.begins_.size(); ++v) found.begins_[v] += found.begins_[v - 1];
    found.arcs_.resize(num_arcs);
    // begins_[v + 1] is the place of the next arc to v, and in the end that of the first one to v +
    // 1.
    for (const Arc& a : arcs) {
      if (a.source == a.target) continue;
      found.arcs_[found.begins_[static_cast<std::size_t>(a.target) + 1]++] = {a.source, a.weight};
    }
    found.workspaces_.resize(static_cast<std::size_t>(thread_count(threads)));
    for (workspace& w : found.workspaces_) {
      w.distances.resize(num_vertices);
      w.sources.resize(num_vertices);
    }
    found.in_doubt_.resize(num_vertices);
    found.threads_ = threads;
    return found;
  }

  /// Writes the predecessors of a matrix of distances. Call once.
  /// @return false if @p watch requested a stop.
  bool find_predecessors(const closure_problem<min_plus<T>>& solved, const monitor& watch) {
    const std::size_t n = solved.num_vertices;
    std::atomic<std::size_t> num_taken = 0;
    parallel_for_with_workspace((n + lanes - 1) / lanes, threads_,
                                [&] { return &workspaces_[num_taken++]; },
                                [&](workspace* space, std::size_t group) {
                                  if (watch.stop_requested()) return;
                                  find_of_rows(solved, group * lanes, *space);
                                });
    return !watch.stop_requested();
  }

  /// For every row, whether its predecessors may form a cycle, because of rounding.
  std::vector<char>& rows_in_doubt() { return in_doubt_; }

 private:
  /// Rows that are searched at the same time, one in each lane of vectors.
  static constexpr std::size_t lanes = 64 / sizeof(T);
  /// As wide as T, so that a vector has as many.
  using word = std::conditional_t<(sizeof(T) <= sizeof(std::int32_t)), std::int32_t, std::int64_t>;

  struct arc_from {
    std::int32_t source;
    T weight;
  };
  struct lane_distances {
    T of[lanes];
  };
  struct lane_sources {
    word of[lanes];
  };
  /// Transposed rows of distances and predecessors.
  struct workspace {
    std::vector<lane_distances> distances;
    std::vector<lane_sources> sources;
  };

  void find_of_rows(const closure_problem<min_plus<T>>& solved, std::size_t first,
                    workspace& space) {
    const std::size_t n = solved.num_vertices;
    const T* rows[lanes];
    for (std::size_t l = 0; l < lanes; ++l) rows[l] = solved.distances[std::min(first + l, n - 1)];
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t l = 0; l < lanes; ++l) space.distances[v].of[l] = rows[l][v];
    }
    bool are_level[lanes] = {};
    for (std::size_t v = 0; v < n; ++v) {
      lane_sources& found = space.sources[v];
      found = tight_sources_of(space, v);
      if constexpr (!std::is_integral_v<T>) {
        for (std::size_t l = 0; l < lanes; ++l) {
          if (found.of[l] >= 0 || v == first + l || !(rows[l][v] < solved.zero)) continue;
          found.of[l] = best_source_of(rows[l], v, solved.zero);
          are_level[l] |= found.of[l] >= 0 && !(rows[l][found.of[l]] < rows[l][v]);
        }
      }
    }
    for (std::size_t l = 0; l < lanes && first + l < n; ++l) {
      in_doubt_[first + l] = are_level[l];
      std::int32_t* const predecessors = solved.predecessors[first + l];
      for (std::size_t v = 0; v < n; ++v) {
        const bool has_one = v != first + l && rows[l][v] < solved.zero;
        predecessors[v] = has_one ? static_cast<std::int32_t>(space.sources[v].of[l]) : -1;
      }
    }
  }

  /// For each lane, a source of a tight arc to @p v that is nearer than v, or -1.
  lane_sources tight_sources_of(const workspace& space, std::size_t v) const {
    const lane_distances distances = space.distances[v];
    lane_sources found;
    for (std::size_t l = 0; l < lanes; ++l) found.of[l] = -1;
    for (std::size_t place = begins_[v]; place < begins_[v + 1]; ++place) {
      const auto source = static_cast<word>(arcs_[place].source);
      const T weight = arcs_[place].weight;
      const T* const before = space.distances[static_cast<std::size_t>(source)].of;
      for (std::size_t l = 0; l < lanes; ++l) {
        const word other = before[l] < distances.of[l] ? source : found.of[l];
        found.of[l] = static_cast<T>(before[l] + weight) == distances.of[l] ? other : found.of[l];
      }
    }
    return found;
  }

  /// The source of an arc to @p v with the least sum, if possible one that is nearer than v.
  std::int32_t best_source_of(const T* row, std::size_t v, T no_path) const {
    std::int32_t best = -1;
    T shortest{};
    bool is_best_nearer = false;
    for (std::size_t place = begins_[v]; place < begins_[v + 1]; ++place) {
      const arc_from& arc = arcs_[place];
      const T before = row[arc.source];
      if (!(before < no_path)) continue;
      const T length = static_cast<T>(before + arc.weight);
      const bool is_nearer = before < row[v];
      if (best < 0 || length < shortest || (length == shortest && is_nearer && !is_best_nearer)) {
        best = arc.source;
        shortest = length;
        is_best_nearer = is_nearer;
      }
    }
    return best;
  }

  std::vector<std::size_t> begins_;  ///< for each target, the place of its first arc
  std::vector<arc_from> arcs_;       ///< in the order of their targets
  std::vector<workspace> workspaces_;
  std::vector<char> in_doubt_;
  int threads_ = 1;
};

}  // namespace apsp::inline v1::detail::host
