// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../apsp/semiring.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/stop_check.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/kernel_semirings.hpp"
#include "../elimination_tree.hpp"
#include "../front_plan.hpp"
#include "../hierarchy.hpp"
#include "../path_values.hpp"
#include "entry_stack.hpp"
#include "fronts.hpp"
#include "kept_arcs.hpp"
#include "placed_arcs.hpp"

namespace apsp::inline v1::detail::host {

/// Gives the arcs of a hierarchy their weights, in two passes over the fronts of the supernodes.
///
/// The first pass leads upwards. It eliminates the pivots of each front, after which the entries of
/// their rows and columns are the best paths through places below, and hands what they contribute
/// to the arcs between upper neighbors to the front of the parent. The second pass leads downwards
/// and makes the entries best paths in the whole graph: a path that leaves a pivot upwards leaves
/// through an upper neighbor, and best paths between those are known from the front of the parent.
/// An arc that is not better than a path through another arc that is kept is dropped, unless all
/// best paths are wanted.
///
/// Complexity: the work of the fronts, twice, in dense products, or half as much if the graph is
/// symmetric. Source: Carré 1971 (elimination); Duff, Reid 1983 (fronts); Dibbelt, Strasser, Wagner
/// 2016 (exact arcs, dropped arcs).
template <class S>
class customization {
  using T = typename S::value_type;

 public:
  /// @param arcs  have weights that are coded as @p values says.
  /// @param ties  if it is set, all arcs that are best paths are kept. Over sums of `double`, those
  ///              that are longer by at most this, relative to the length, are best as well.
  /// @throws stop_seen if a stop is requested.
  customization(shared_tree tree, const adjacency_view<T>& arcs, const path_values<S>& values,
                std::optional<double> ties, int threads, const monitor& watch)
      : tree_(std::move(tree)),
        values_(values),
        ties_(ties),
        threads_(threads),
        plan_(plan_fronts(*tree_, thread_count(threads))),
        may_round_below_zero_(
            !is_coded_integer<T> &&
            std::any_of(arcs.weights.begin(), arcs.weights.end(),
                        [&](const T& w) { return values.is_better(w, values.one); })),
        arcs_(*tree_, arcs, threads, watch),
        is_symmetric_(commutes<S> && arcs_.are_symmetric(values, threads, watch)),
        entries_(plan_.entry_offsets.back()),
        in_parent_(tree_->upper.size()),
        contributions_(tree_->num_supernodes()),
        exact_(tree_->num_supernodes()),
        open_children_(tree_->num_supernodes()),
        watch_(watch) {
    std::copy(plan_.num_children.begin(), plan_.num_children.end(), open_children_.begin());
  }

  /// The first pass; call once. False if a cycle improves on the empty path, or if a stop is
  /// requested.
  bool close_fronts() {
    parallel_for_with_workspace(
        plan_.subtrees.size(), threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t i) {
          mine.own_from = plan_.subtrees[i].begin;
          for (std::size_t s = plan_.subtrees[i].end; s-- > plan_.subtrees[i].begin;) {
            if (is_given_up()) return;
            eliminate(s, mine, 1);
          }
        });
    workspace own(*this);
    for (std::size_t i = plan_.top.size(); i-- > 0;) {
      if (is_given_up()) break;
      eliminate(plan_.top[i], own, threads_);
    }
    return !is_given_up();
  }

  /// The second pass, if the first one returned true; call once. Nothing if a stop is requested.
  /// @throws stop_seen also if a stop is requested.
  std::optional<hierarchy<T>> keep_exact_arcs() {
    workspace own(*this);
    const std::size_t num_subtrees = plan_.subtrees.size();
    kept_.resize(num_subtrees + static_cast<std::size_t>(thread_count(threads_)));
    for (const std::size_t s : plan_.top) {
      if (is_given_up()) break;
      make_exact(s, own, threads_, std::span(kept_).subspan(num_subtrees));
    }
    parallel_for_with_workspace(
        num_subtrees, threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t i) {
          mine.own_from = plan_.subtrees[i].begin;
          for (std::size_t s = plan_.subtrees[i].begin; s < plan_.subtrees[i].end; ++s) {
            if (is_given_up()) return;
            make_exact(s, mine, 1, {&kept_[i], 1});
          }
        });
    if (is_given_up()) return std::nullopt;
    return joined(tree_, kept_, threads_, watch_);
  }

  bool has_improving_cycle() const { return has_improving_cycle_; }

 private:
  /// An arc of a pivot that may be kept.
  struct arc_candidate {
    T value;
    std::size_t above;  ///< The place of its other end in the front.
  };

  /// A front in the stack of best paths.
  struct exact_block {
    std::size_t supernode;
    std::size_t num_entries;
  };

  struct workspace {
    explicit workspace(const customization& call)
        : operations(call.values_, call.watch_),
          position(call.tree_->num_vertices()),
          own_from(call.tree_->num_supernodes()) {}

    /// A front with entries of any values.
    block<T> front_of(std::size_t size) {
      if (most_entries < size * size) {
        most_entries = 0;
        front = {};
        front = untouched_buffer<T>(size * size);
        most_entries = size * size;
      }
      return {front.data(), size};
    }

    void drop_exact_block() {
      exact.drop_last(exact_blocks.back().num_entries);
      exact_blocks.pop_back();
    }

    front_operations<S> operations;
    std::vector<std::int32_t> position;  ///< In the front, of each upper neighbor.
    untouched_buffer<T> front;
    std::size_t most_entries = 0;  ///< Of `front`.
    /// Supernodes from this number on, as far as they are reached, belong to one thread alone. The
    /// entries of the small ones are kept in stacks.
    std::size_t own_from;
    entry_stack<T> contributions;
    entry_stack<T> exact;
    std::vector<exact_block> exact_blocks;
    std::vector<arc_candidate> candidates;
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// True if one thread passes so many entries faster than several.
  static bool is_little(std::size_t rows, std::size_t columns) {
    return rows * columns < std::size_t{1} << 15;
  }
  /// Calls f(i) for @p count rows of a front.
  template <class F>
  static void for_each_row(std::size_t count, std::size_t size, int threads, F f) {
    if (is_little(count, size)) {
      for (std::size_t i = 0; i < count; ++i) f(i);
    } else {
      parallel_for(count, threads, f);
    }
  }

  bool is_stopped() const { return watch_.stop_requested(); }
  bool is_given_up() const {
    return has_improving_cycle_.load(std::memory_order_relaxed) || is_stopped();
  }

  /// True if memory of its own would take longer than the front.
  bool is_small(std::size_t s) const {
    constexpr std::size_t largest = 32;
    return tree_->front_size(s) <= largest;
  }

  /// The places of the upper neighbors of a supernode in the front of its parent.
  std::int32_t* in_parent_of(std::size_t s) { return in_parent_.data() + tree_->upper_offsets[s]; }

  T* pivot_rows(std::size_t s) { return entries_.data() + plan_.entry_offsets[s]; }
  T* pivot_columns(std::size_t s) {
    return pivot_rows(s) + tree_->num_pivots(s) * tree_->front_size(s);
  }

  void eliminate(std::size_t s, workspace& mine, int threads) {
    const std::size_t first = tree_->first_place(s);
    const std::size_t pivots = tree_->num_pivots(s);
    const std::size_t size = tree_->front_size(s);
    const auto upper = tree_->upper_of(s);
    for (std::size_t i = 0; i < upper.size(); ++i) {
      mine.position[at(upper[i])] = static_cast<std::int32_t>(pivots + i);
    }
    const auto position = [&](std::int32_t place) {
      return at(place) >= first ? at(place) - first : at(mine.position[at(place)]);
    };
    const block<T> front = mine.front_of(size);
    for_each_row(size, size, threads, [&](std::size_t i) {
      std::fill_n(front.row(i), size, values_.none);
      front.row(i)[i] = values_.one;
    });
    for (std::size_t a = arcs_.offsets[first]; a < arcs_.offsets[first + pivots]; ++a) {
      const auto& arc = arcs_.arcs[a];
      T& entry = front.row(position(arc.from))[position(arc.to)];
      entry = values_.plus(arc.weight, entry);
    }
    for (std::int32_t child = plan_.first_child[s]; child >= 0;
         child = plan_.next_sibling[at(child)]) {
      if (is_stopped()) return;
      add_contribution(at(child), position, mine, front, threads);
    }
    mine.operations.close(size, pivots, front, is_symmetric_, threads);
    // The front is not closed.
    if (is_stopped()) return;
    for (std::size_t k = 0; k < pivots; ++k) {
      if (values_.is_better(front.row(k)[k], values_.one)) has_improving_cycle_ = true;
    }

    for_each_row(pivots, size, threads,
                 [&](std::size_t i) { std::copy_n(front.row(i), size, pivot_rows(s) + i * size); });
    if (upper.empty()) return;
    T* const columns = pivot_columns(s);
    const std::size_t num_entries = upper.size() * upper.size();
    const bool is_own = at(tree_->supernode_parents[s]) >= mine.own_from;
    if (!is_own || !is_small(s)) contributions_[s] = untouched_buffer<T>(num_entries);
    T* const contribution =
        is_own && is_small(s) ? mine.contributions.push(num_entries) : contributions_[s].data();
    for_each_row(upper.size(), size, threads, [&](std::size_t i) {
      const T* const row = front.row(pivots + i);
      std::copy_n(row, pivots, columns + i * pivots);
      std::copy_n(row + pivots, upper.size(), contribution + i * upper.size());
    });
  }

  /// Adds what a front contributes to that of its parent. Children are added in the order of their
  /// numbers, the reverse order of their elimination.
  template <class Position>
  void add_contribution(std::size_t child, Position position, workspace& mine, block<T> front,
                        int threads) {
    const auto upper = tree_->upper_of(child);
    std::int32_t* const in_parent = in_parent_of(child);
    for (std::size_t i = 0; i < upper.size(); ++i) {
      in_parent[i] = static_cast<std::int32_t>(position(upper[i]));
    }
    const std::size_t count = upper.size();
    const bool is_stacked = contributions_[child].data() == nullptr;
    const T* const entries =
        is_stacked ? mine.contributions.last(count * count) : contributions_[child].data();
    for_each_row(count, count, threads, [&](std::size_t i) {
      const T* const from = entries + i * count;
      T* const row = front.row(at(in_parent[i]));
      for (std::size_t j = 0; j < count; ++j) {
        T& entry = row[at(in_parent[j])];
        entry = values_.plus(from[j], entry);
      }
    });
    if (is_stacked) {
      mine.contributions.drop_last(count * count);
    } else {
      contributions_[child] = {};
    }
  }

  /// @param kept  receives the arcs; each thread fills one of them.
  void make_exact(std::size_t s, workspace& mine, int threads, std::span<kept_arcs<T>> kept) {
    const std::size_t pivots = tree_->num_pivots(s);
    const std::size_t size = tree_->front_size(s);
    const std::size_t outside = size - pivots;
    const bool has_children = plan_.first_child[s] >= 0;
    const bool is_stacked = s >= mine.own_from && is_small(s);
    if (has_children && !is_stacked) exact_[s] = untouched_buffer<T>(size * size);
    const block<T> exact =
        has_children && !is_stacked ? block<T>{exact_[s].data(), size} : mine.front_of(size);
    const block<const T> rows{pivot_rows(s), size};
    const block<const T> columns{pivot_columns(s), pivots};
    if (outside != 0) copy_upper_entries(s, mine, exact.from(pivots, pivots), threads);
    for_each_row(pivots, size, threads,
                 [&](std::size_t i) { std::copy_n(rows.row(i), size, exact.row(i)); });
    for_each_row(outside, pivots, threads, [&](std::size_t i) {
      std::copy_n(columns.entries + i * pivots, pivots, exact.row(pivots + i));
    });
    if (is_stopped()) return;
    const block<T> upper = exact.from(pivots, pivots);
    mine.operations.multiply({.m = pivots,
                              .n = outside,
                              .depth = outside,
                              .a = rows_from(rows, pivots),
                              .b = upper,
                              .c = exact.from(0, pivots)},
                             threads);
    if (is_symmetric_) {
      transpose<T>(pivots, outside, exact.from(0, pivots), exact.from(pivots, 0), threads);
      mine.operations.multiply({.m = pivots,
                                .n = pivots,
                                .depth = outside,
                                .a = exact.from(0, pivots),
                                .b = columns,
                                .c = exact,
                                .written = matrix_part::upper_triangle},
                               threads);
      mirror(pivots, exact, threads);
    } else {
      mine.operations.multiply({.m = outside,
                                .n = pivots,
                                .depth = outside,
                                .a = upper,
                                .b = columns,
                                .c = exact.from(pivots, 0)},
                               threads);
      mine.operations.multiply({.m = pivots,
                                .n = pivots,
                                .depth = outside,
                                .a = exact.from(0, pivots),
                                .b = columns,
                                .c = exact},
                               threads);
    }
    const exact_front entries{rows, columns, exact};
    if (is_little(pivots, size)) {
      for (std::size_t i = 0; i < pivots; ++i) {
        keep_arcs(s, i, entries, mine.candidates, kept.front());
      }
    } else {
      const std::size_t num_parts = std::min(kept.size(), pivots);
      parallel_for(
          num_parts, threads,
          [&](std::size_t part) {
            std::vector<arc_candidate> candidates;
            for (std::size_t i = part; i < pivots && !is_stopped(); i += num_parts) {
              keep_arcs(s, i, entries, candidates, kept[part]);
            }
          },
          1);
    }
    if (has_children && is_stacked) {
      std::copy_n(exact.entries, size * size, mine.exact.push(size * size));
      mine.exact_blocks.push_back({s, size * size});
    }
  }

  static block<const T> rows_from(const block<const T>& rows, std::size_t column) {
    return {rows.entries + column, rows.stride};
  }

  /// Copies the best paths between the upper neighbors of @p s from the front of its parent.
  void copy_upper_entries(std::size_t s, workspace& mine, block<T> to, int threads) {
    const std::size_t parent = at(tree_->supernode_parents[s]);
    const std::int32_t* const in_parent = in_parent_of(s);
    const std::size_t count = tree_->upper_of(s).size();
    const std::size_t size = tree_->front_size(parent);
    const bool is_stacked = parent >= mine.own_from && is_small(parent);
    const bool is_last = plan_.next_sibling[s] < 0;
    const T* parent_entries = exact_[parent].data();
    if (is_stacked) {
      // What is above the block of the parent belongs to subtrees that are complete.
      while (mine.exact_blocks.back().supernode != parent) mine.drop_exact_block();
      parent_entries = mine.exact.last(size * size);
    }
    const block<const T> from{parent_entries, size};
    for_each_row(count, count, threads, [&](std::size_t i) {
      const T* const row = from.row(at(in_parent[i]));
      for (std::size_t j = 0; j < count; ++j) to.row(i)[j] = row[at(in_parent[j])];
    });
    if (is_stacked) {
      if (is_last) mine.drop_exact_block();
    } else if (open_children_[parent].fetch_sub(1) == 1) {
      exact_[parent] = {};
    }
  }

  /// The arcs of a pivot from or to the vertices above it, and the best paths in the same
  /// direction.
  struct arcs_of_pivot {
    std::size_t pivot;    ///< Pivots before it are above it: they are eliminated later.
    const T* pivot_arcs;  ///< To pivot j: pivot_arcs[j * pivot_step].
    std::size_t pivot_step;
    const T* upper_arcs;  ///< To upper neighbor j: upper_arcs[j * upper_step].
    std::size_t upper_step;
    const T* exact;  ///< From k to j: exact[k * from_step + j * to_step].
    std::size_t from_step;
    std::size_t to_step;
  };

  /// The rows and columns of the pivots of a front, and the best paths between its vertices.
  struct exact_front {
    block<const T> rows;
    block<const T> columns;
    block<T> exact;
  };

  /// Keeps, of the arcs of pivot @p i, those that no other ones replace.
  void keep_arcs(std::size_t s, std::size_t i, const exact_front& front,
                 std::vector<arc_candidate>& candidates, kept_arcs<T>& kept) {
    const auto& [rows, columns, exact] = front;
    const std::size_t pivots = tree_->num_pivots(s);
    const arcs_of_pivot up{.pivot = i,
                           .pivot_arcs = rows.row(i),
                           .pivot_step = 1,
                           .upper_arcs = rows.row(i) + pivots,
                           .upper_step = 1,
                           .exact = exact.entries,
                           .from_step = exact.stride,
                           .to_step = 1};
    const arcs_of_pivot down{.pivot = i,
                             .pivot_arcs = rows.entries + i,
                             .pivot_step = rows.stride,
                             .upper_arcs = columns.entries + i,
                             .upper_step = columns.stride,
                             .exact = exact.entries,
                             .from_step = 1,
                             .to_step = exact.stride};
    kept.places.push_back(static_cast<std::int32_t>(tree_->first_place(s) + i));
    kept.num_up.push_back(keep_arcs(s, up, candidates, kept.up));
    if (is_symmetric_) {
      kept.num_down.push_back(kept.num_up.back());
      kept.down.insert(kept.down.end(), kept.up.end() - kept.num_up.back(), kept.up.end());
    } else {
      kept.num_down.push_back(keep_arcs(s, down, candidates, kept.down));
    }
  }

  /// Appends the arcs that are kept to @p to.
  /// @param candidates  memory for use.
  std::int32_t keep_arcs(std::size_t s, const arcs_of_pivot& arcs,
                         std::vector<arc_candidate>& candidates,
                         std::vector<sweep_arc<T>>& to) const {
    const path_values<S> values = values_;  // The entries written do not alias it.
    const std::size_t pivots = tree_->num_pivots(s);
    const auto upper = tree_->upper_of(s);
    const auto for_each_above = [&](auto f) {
      for (std::size_t j = 0; j < arcs.pivot; ++j) f(arcs.pivot_arcs[j * arcs.pivot_step], j);
      for (std::size_t j = 0; j < upper.size(); ++j) {
        f(arcs.upper_arcs[j * arcs.upper_step], pivots + j);
      }
    };
    // The first ones are kept. None is kept twice, so that their number does not exceed this.
    const std::size_t most = arcs.pivot + upper.size();
    if (candidates.size() < most) candidates.resize(most);
    arc_candidate* const list = candidates.data();
    std::size_t num_candidates = 0;
    std::size_t num_kept = 0;
    const auto is_replaced = [&](const T& w, std::size_t j) {
      const T* const to_j = arcs.exact + j * arcs.to_step;
      for (std::size_t k = 0; k < num_kept; ++k) {
        if (list[k].above == j) return true;
        const T through = values.times(list[k].value, to_j[list[k].above * arcs.from_step]);
        if (!values.is_better(w, through)) return true;
      }
      return false;
    };
    const T* const best = arcs.exact + arcs.pivot * arcs.from_step;
    for_each_above([&](const T& w, std::size_t j) {
      if (values.is_path(w) && !values.is_better(with_ties(best[j * arcs.to_step]), w)) {
        list[num_candidates++] = {w, j};
      }
    });
    if (ties_) {
      append_arcs(s, {list, num_candidates}, to);
      return static_cast<std::int32_t>(num_candidates);
    }
    // Better ones first, so that few of those kept could be replaced by later ones.
    if (num_candidates > 1) {
      std::sort(list, list + num_candidates, [&](const arc_candidate& a, const arc_candidate& b) {
        return comes_first(values, a.value, a.above, b.value, b.above);
      });
    }
    for (std::size_t c = 0; c < num_candidates; ++c) {
      if (!is_replaced(list[c].value, list[c].above)) list[num_kept++] = list[c];
    }
    // Around a cycle of length 0, rounding may make each arc look worse than a path through the
    // next.
    if (may_round_below_zero_) {
      for_each_above([&](const T& w, std::size_t j) {
        if (values.is_path(w) && !is_replaced(w, j)) list[num_kept++] = {w, j};
      });
    }
    append_arcs(s, {list, num_kept}, to);
    return static_cast<std::int32_t>(num_kept);
  }
  void append_arcs(std::size_t s, std::span<const arc_candidate> list,
                   std::vector<sweep_arc<T>>& to) const {
    const std::size_t pivots = tree_->num_pivots(s);
    const auto upper = tree_->upper_of(s);
    for (const auto& [value, j] : list) {
      const std::size_t place = j < pivots ? tree_->first_place(s) + j : at(upper[j - pivots]);
      to.push_back({tree_->depths[place], value});
    }
  }
  /// The worst value that counts as equal to the best one.
  T with_ties(const T& best) const {
    if constexpr (std::is_same_v<S, min_plus<double>>) {
      if (ties_) return best + *ties_ * std::abs(best);
    }
    return best;
  }

  shared_tree tree_;
  path_values<S> values_;
  std::optional<double> ties_;
  int threads_;
  front_plan plan_;
  bool may_round_below_zero_;  ///< Sums are rounded, and some arc improves on the empty path.
  placed_arcs<T> arcs_;
  bool is_symmetric_;            ///< Every front equals its transpose.
  untouched_buffer<T> entries_;  ///< Of each supernode, the rows of its pivots and their columns.
  untouched_buffer<std::int32_t> in_parent_;  ///< By upper neighbor.
  std::vector<untouched_buffer<T>> contributions_;
  std::vector<untouched_buffer<T>> exact_;
  std::vector<std::atomic<std::int32_t>> open_children_;
  std::vector<kept_arcs<T>> kept_;
  std::atomic<bool> has_improving_cycle_ = false;
  const monitor& watch_;
};

}  // namespace apsp::inline v1::detail::host
