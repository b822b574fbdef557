// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../graph/adjacency.hpp"
#include "../../../graph/hubs.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../values/distance_code.hpp"
#include "../../lanes/host/lane_graph.hpp"
#include "../../lanes/host/lane_kernel.hpp"
#include "../../lanes/host/lane_rows.hpp"
#include "../../problem/problem.hpp"
#include "arc_pruning.hpp"
#include "lane_passes.hpp"
#include "lanes.hpp"

namespace apsp::inline v1::detail::host {

/// Bellman–Ford for batches of sources, one in each lane. If many arcs are longer than the shortest
/// path between their ends, which the first batches show, the later ones do without them.
template <class S>
class lane_search {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;
  using batch_rows = lane_rows<S>;
  static constexpr bool is_sum = std::is_same_v<S, min_plus<T>>;

 public:
  /// @param rows  to solve for.
  lane_search(const per_source_problem<T>& problem, const values_in_lanes<S>& values, int threads,
              solver_output<T>& output, std::vector<std::size_t> rows)
      : problem_(with_limit_in(problem)),
        threads_(threads),
        incoming_(reversed_arcs(problem.arcs)),
        order_(problem.arcs, incoming_.view()),
        rows_by_place_(by_place(std::move(rows))),
        passes_(choose_kernels(), values, order_),
        rows_(passes_.kernels(), values.values, problem_, order_.vertices, output),
        graph_(order_, problem_.arcs, incoming_.view()) {
    incoming_ = {};
    left_.reserve(rows_by_place_.size());
  }

  /// @param left  receives the rows that this type cannot hold, or, if the outcome is
  ///              `not_converged`, that are better searched for one after another.
  solve_outcome solve(monitor& watch, std::vector<std::size_t>& left) {
    const std::size_t lanes = passes_.kernels().num_lanes;
    const std::size_t num_batches = (rows_by_place_.size() + lanes - 1) / lanes;
    watch.note_batch(std::min(lanes, rows_by_place_.size()));
    workspaces_.resize(std::min(static_cast<std::size_t>(thread_count(threads_)), num_batches));
    std::optional<arc_pruning<S>> pruning;
    std::size_t num_first = workspaces_.size();
    if (searches_hubs_at_first(num_batches)) {
      // The batches need memory first.
      for (auto& mine : workspaces_) mine.emplace(*this);
      if (make_pruning(pruning)) num_first -= 2;
    }
    solve_batches(0, num_first, watch, pruning ? &*pruning : nullptr);
    counts_bypassed_ = false;
    if (pays_to_prune(num_batches - num_first) && !watch.stop_requested()) {
      if (!pruning && make_pruning(pruning)) solve_batches(0, 0, watch, &*pruning);
      if (pruning && pruning->is_searched_both_ways()) prune(*pruning, watch);
    }
    pruning.reset();
    solve_batches(num_first, num_batches, watch);
    left = std::move(left_);
    if (watch.stop_requested()) return solve_outcome::stopped;
    return is_long_ ? solve_outcome::not_converged : solve_outcome::finished;
  }

 private:
  struct workspace {
    explicit workspace(const lane_search& call)
        : sources(call.passes_.kernels().num_lanes),
          open(call.order_.size()),
          rows(call.rows_, call.order_.size()) {}
    std::vector<std::int32_t> sources;
    open_bits open;
    typename batch_rows::workspace rows;
  };

  /// Sums beyond the limit are not stored, so that no row is searched for them.
  static per_source_problem<T> with_limit_in(per_source_problem<T> problem) {
    if constexpr (is_sum) problem.limit = no_path<T>();
    return problem;
  }

  /// Sources of a batch are close to each other.
  std::vector<std::size_t> by_place(std::vector<std::size_t> rows) const {
    const auto place_of = [&](std::size_t row) {
      return order_.places[static_cast<std::size_t>(problem_.sources[row])];
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
    return rows;
  }

  /// A wide batch takes about 1.4 times as long as a narrow one.
  const kernel_table& choose_kernels() const {
    constexpr double time_of_wide = 1.4;
    const kernel_table& wide = choose_lane_kernels<S>(batch_width::wide);
    const kernel_table& narrow = choose_lane_kernels<S>(batch_width::narrow);
    const auto num_threads = static_cast<std::size_t>(thread_count(threads_));
    const auto rounds = [&](const kernel_table& kernels) {
      const std::size_t together = kernels.num_lanes * num_threads;
      const std::size_t count = (rows_by_place_.size() + together - 1) / together;
      return static_cast<double>(count);
    };
    const double bytes =
        static_cast<double>(order_.size()) *
        static_cast<double>(num_threads * wide.num_lanes * batch_rows::bytes_of_entry(problem_));
    const bool is_wide =
        bytes <= double{most_bytes_of_batches} && time_of_wide * rounds(wide) <= rounds(narrow);
    return is_wide ? wide : narrow;
  }

  /// Solves batches [begin, end), and searches from the hubs of @p pruning beside them.
  void solve_batches(std::size_t begin, std::size_t end, monitor& watch,
                     arc_pruning<S>* pruning = nullptr) {
    const std::size_t num_searches = pruning == nullptr ? 0 : 2;
    const std::size_t num_tasks = num_searches + end - begin;
    std::atomic<std::size_t> next_workspace = 0;
    // The workspaces of the first batches serve the later ones, too.
    const auto take_workspace = [&] {
      auto& mine = workspaces_[next_workspace.fetch_add(1, std::memory_order_relaxed)];
      if (!mine) mine.emplace(*this);
      return &*mine;
    };
    const std::size_t num_threads =
        std::max<std::size_t>(std::min(num_tasks, workspaces_.size()), 1);
    parallel_for_with_workspace(num_tasks, static_cast<int>(num_threads), take_workspace,
                                [&](workspace* mine, std::size_t task) {
                                  if (watch.stop_requested()) return;
                                  if (task >= num_searches) {
                                    solve_batch(begin + task - num_searches, *mine, watch);
                                  } else if (task == 0) {
                                    pruning->search(watch);
                                  } else {
                                    pruning->search_against_arcs(watch);
                                  }
                                });
  }

  void solve_batch(std::size_t batch, workspace& mine, monitor& watch) {
    const std::size_t lanes = passes_.kernels().num_lanes;
    const std::size_t first = batch * lanes;
    const std::size_t count = std::min(lanes, rows_by_place_.size() - first);
    const std::span<const std::size_t> rows(rows_by_place_.data() + first, count);
    if (gives_up_.load(std::memory_order_relaxed)) return leave(rows);
    const std::span<std::int32_t> sources(mine.sources.data(), count);
    for (std::size_t lane = 0; lane < count; ++lane) sources[lane] = problem_.sources[rows[lane]];
    T* const paths = mine.rows.paths.data();
    const batch_end end = passes_.run(graph_, sources, paths, mine.open, watch);
    if (end == batch_end::stopped) return;
    if (end == batch_end::too_long) is_long_.store(true, std::memory_order_relaxed);
    if (end == batch_end::too_long || passes_.may_be_cut(paths)) {
      gives_up_.store(true, std::memory_order_relaxed);
      return leave(rows);
    }
    if (counts_bypassed_) count_bypassed(sources, paths);
    if (rows_.takes_totals()) return add_up(sources, rows, paths, watch);
    rows_.finish(count, rows.data(), mine.rows, watch);
  }

  void leave(std::span<const std::size_t> rows) {
    const std::scoped_lock lock(left_mutex_);
    left_.insert(left_.end(), rows.begin(), rows.end());
  }

  void add_up(std::span<const std::int32_t> sources, std::span<const std::size_t> rows, T* paths,
              monitor& watch) const {
    typename batch_rows::totals sums(rows_, sources.size());
    std::vector<std::int32_t> vertices(batch_rows::entries_together);
    for (std::size_t begin = 0; begin < order_.size(); begin += vertices.size()) {
      const std::size_t size = std::min(vertices.size(), order_.size() - begin);
      std::iota(vertices.begin(), vertices.end(), static_cast<std::int32_t>(begin));
      rows_.add_up({begin, size, vertices.data(), paths + rows_.lanes_of(begin)}, sources.data(),
                   sums);
    }
    rows_.finish_totals(rows.data(), sums, watch);
  }

  /// Counts the arcs out of the sources of a batch that are longer than the shortest paths.
  void count_bypassed(std::span<const std::int32_t> sources, const T* paths) {
    const arc_counts counts = count_bypassed_arcs(passes_, problem_.arcs, sources, paths);
    num_counted_.fetch_add(counts.num_arcs, std::memory_order_relaxed);
    num_bypassed_.fetch_add(counts.num_bypassed, std::memory_order_relaxed);
  }

  // A hub may reach a negative cycle that no source does.
  bool may_prune() const { return is_sum && !problem_.has_negative_weight; }

  /// If it is not yet known whether pruning pays: with many threads, a round in which all others
  /// wait for the hubs costs more than two batches in vain, which may take another round.
  bool searches_hubs_at_first(std::size_t num_batches) const {
    const std::size_t num_threads = workspaces_.size();
    return may_prune() && num_threads >= 4 &&
           num_batches >= std::max<std::size_t>(64, 4 * num_threads) &&
           has_hubs(problem_.arcs, passes_.kernels().num_lanes);
  }

  /// Paths through hubs find fewer arcs than shortest paths do, and the hubs take as long as two
  /// batches.
  bool pays_to_prune(std::size_t num_batches_left) const {
    if (!may_prune() || gives_up_) return false;
    const double share = arc_counts{num_counted_, num_bypassed_}.share_of_bypassed();
    return (share - 0.3) * static_cast<double>(num_batches_left) > 4;
  }

  /// False if there is no memory for it: the searches do without.
  bool make_pruning(std::optional<arc_pruning<S>>& pruning) const {
    try {
      pruning.emplace(passes_, graph_);
    } catch (const std::bad_alloc&) {
    }
    return pruning.has_value();
  }

  void prune(const arc_pruning<S>& pruning, monitor& watch) {
    try {
      adjacency<T> kept = arcs_without(problem_.arcs, pruning.find_bypassed(threads_));
      const adjacency<T> incoming = reversed_arcs(kept.view());
      lane_arcs<S> graph(order_, kept.view(), incoming.view());
      adjacency<T> last;
      if (problem_.with_predecessors) last = last_arcs(passes_.values(), kept.view());
      watch.note_arcs_left_out(problem_.arcs.num_edges() - kept.view().num_edges());
      // Nothing below throws.
      kept_ = std::move(kept);
      graph_ = std::move(graph);
      problem_.arcs = kept_.view();
      rows_.replace_last_arcs(std::move(last));
    } catch (const std::bad_alloc&) {
      // The searches do without.
    }
  }

  per_source_problem<T> problem_;
  int threads_;
  adjacency<T> incoming_;  ///< Until the graph is made.
  vertex_order order_;
  std::vector<std::size_t> rows_by_place_;
  lane_passes<S> passes_;
  batch_rows rows_;
  lane_arcs<S> graph_;
  adjacency<T> kept_;  ///< The arcs after pruning.
  std::vector<std::optional<workspace>> workspaces_;
  bool counts_bypassed_ = true;
  std::atomic<std::size_t> num_counted_ = 0;
  std::atomic<std::size_t> num_bypassed_ = 0;
  std::atomic<bool> gives_up_ = false;
  std::atomic<bool> is_long_ = false;
  std::mutex left_mutex_;
  std::vector<std::size_t> left_;
};

template <class S, class T>
solve_outcome search_in_lanes(const per_source_problem<T>& problem,
                              const values_in_lanes<S>& values, int threads,
                              solver_output<T>& output, monitor& watch,
                              std::vector<std::size_t>& rows) {
  lane_search<S> search(problem, values, threads, output, std::exchange(rows, {}));
  return search.solve(watch, rows);
}

template <class C>
std::optional<adjacency<C>> prune_arcs(const per_source_problem<C>& problem, int threads,
                                       monitor& watch) {
  const C no_limit = is_coded_integer<C> ? static_cast<C>(no_path<C>() - 1) : no_path<C>();
  const bool ends_early = problem.limit < no_limit || !problem.targets.empty();
  if (ends_early || problem.has_negative_weight) return std::nullopt;
  const auto values = sums_in_lanes(problem);
  if (!values) return std::nullopt;
  const auto is_bypassed = find_bypassed_arcs(problem.arcs, *values, C{}, threads, watch);
  if (!is_bypassed) return std::nullopt;
  try {
    adjacency<C> kept = arcs_without(problem.arcs, *is_bypassed);
    watch.note_arcs_left_out(problem.arcs.num_edges() - kept.view().num_edges());
    return kept;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace apsp::inline v1::detail::host
