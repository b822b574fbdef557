// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../graph/adjacency.hpp"
#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../host/untouched_buffer.hpp"
#include "../../values/distance_code.hpp"
#include "../elimination_tree.hpp"
#include "../hierarchy.hpp"
#include "../path_values.hpp"
#include "fronts.hpp"

namespace apsp::detail::host {

/// Gives the arcs of a hierarchy their weights, in two passes over the fronts of the supernodes.
///
/// The first pass leads upwards. It eliminates the pivots of each front, after which the entries of
/// their rows and columns are the best paths through places below, and hands what they contribute
/// to the arcs between upper neighbors to the front of the parent. The second pass leads downwards
/// and makes the entries best paths in the whole graph: a path that leaves a pivot upwards leaves
/// through an upper neighbor, and best paths between those are known from the front of the parent.
/// An arc that is worse than a path through another arc that is kept is dropped.
///
/// Complexity: the work of the fronts, twice, in dense products. Source: Carré 1971 (elimination);
/// Duff, Reid 1983 (fronts); Dibbelt, Strasser, Wagner 2016 (exact arcs, dropped arcs).
template <class S>
class customization {
  using T = typename S::value_type;

 public:
  /// @param arcs  have weights that are coded as @p values says.
  customization(shared_tree tree, const adjacency_view<T>& arcs, const path_values<S>& values,
                int threads)
      : tree_(std::move(tree)),
        values_(values),
        threads_(threads),
        count_(tree_->num_supernodes()),
        may_round_below_zero_(
            !is_coded_integer<T> &&
            std::any_of(arcs.weights.begin(), arcs.weights.end(),
                        [&](const T& w) { return values.is_better(w, values.one); })),
        entry_offsets_(count_ + 1, 0),
        contributions_(count_),
        exact_(count_),
        open_children_(count_),
        first_child_(count_, -1),
        next_sibling_(count_, -1) {
    for (std::size_t s = 0; s < count_; ++s) {
      const std::size_t pivots = tree_->num_pivots(s);
      const std::size_t size = tree_->front_size(s);
      entry_offsets_[s + 1] = entry_offsets_[s] + pivots * size + (size - pivots) * pivots;
    }
    entries_ = untouched_buffer<T>(entry_offsets_[count_]);
    for (std::size_t s = count_; s-- > 0;) {
      if (const std::int32_t parent = tree_->supernode_parents[s]; parent >= 0) {
        const auto to = static_cast<std::size_t>(parent);
        next_sibling_[s] = std::exchange(first_child_[to], static_cast<std::int32_t>(s));
        open_children_[to].fetch_add(1, std::memory_order_relaxed);
      }
    }
    sort_arcs(arcs);
    divide_work();
  }

  /// Call once. Nothing if a cycle improves on the empty path, or if @p watch requested a stop.
  std::optional<hierarchy<T>> run(const monitor& watch) {
    const auto is_given_up = [&] {
      return has_improving_cycle_.load(std::memory_order_relaxed) || watch.stop_requested();
    };
    watch_ = &watch;
    parallel_for_with_workspace(
        subtrees_.size(), threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t i) {
          for (std::size_t s = subtrees_[i].end; s-- > subtrees_[i].begin;) {
            if (is_given_up()) return;
            eliminate(s, mine, 1);
          }
        });
    workspace own(*this);
    for (std::size_t i = top_.size(); i-- > 0;) {
      if (is_given_up()) break;
      eliminate(top_[i], own, threads_);
    }
    if (is_given_up()) return std::nullopt;

    kept_.resize(subtrees_.size() + 1);
    for (const std::size_t s : top_) {
      if (is_given_up()) break;
      make_exact(s, own, threads_, kept_.back());
    }
    parallel_for_with_workspace(
        subtrees_.size(), threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t i) {
          for (std::size_t s = subtrees_[i].begin; s < subtrees_[i].end; ++s) {
            if (is_given_up()) return;
            make_exact(s, mine, 1, kept_[i]);
          }
        });
    if (is_given_up()) return std::nullopt;
    return collect();
  }

  bool has_improving_cycle() const { return has_improving_cycle_; }

 private:
  struct workspace {
    explicit workspace(const customization& call)
        : operations(call.values_), position(call.tree_->num_vertices()) {}

    front_operations<S> operations;
    std::vector<std::int32_t> position;  ///< In the front, of each upper neighbor.
    std::vector<T> front;
    std::vector<std::size_t> in_parent;
    std::vector<std::pair<T, std::size_t>> candidates;
    std::vector<std::pair<T, std::size_t>> kept;
  };

  /// Arcs that have been kept, place by place.
  struct kept_arcs {
    std::vector<std::int32_t> places;
    std::vector<std::int32_t> num_up;
    std::vector<std::int32_t> num_down;
    std::vector<sweep_arc<T>> up;
    std::vector<sweep_arc<T>> down;
  };

  struct supernode_range {
    std::size_t begin;
    std::size_t end;
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// Groups the arcs by the lower of their ends, which is eliminated first.
  void sort_arcs(const adjacency_view<T>& arcs) {
    const std::size_t n = tree_->num_vertices();
    arc_offsets_.assign(n + 1, 0);
    const auto lower_end = [](std::int32_t a, std::int32_t b) { return at(std::max(a, b)); };
    for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const T&) {
      ++arc_offsets_[lower_end(tree_->places[u], tree_->places[v]) + 1];
    });
    std::partial_sum(arc_offsets_.begin(), arc_offsets_.end(), arc_offsets_.begin());
    arcs_.resize(arcs.num_edges());
    std::vector<std::size_t> next(arc_offsets_.begin(), arc_offsets_.end() - 1);
    for_each_arc_of(arcs, [&](std::size_t u, std::size_t v, const T& w) {
      const std::int32_t from = tree_->places[u];
      const std::int32_t to = tree_->places[v];
      arcs_[next[lower_end(from, to)]++] = {from, to, w};
    });
  }

  /// Subtrees that threads take on their own, and the supernodes above them, whose products all
  /// threads share.
  void divide_work() {
    if (thread_count(threads_) == 1) {
      if (count_ != 0) subtrees_.push_back({0, count_});
      return;
    }
    std::vector<double> work(count_);
    std::vector<std::size_t> end(count_);
    double total = 0;
    for (std::size_t s = count_; s-- > 0;) {
      work[s] += tree_->front_work(s) + own_work_;
      end[s] = std::max(end[s], s + 1);
      if (const std::int32_t parent = tree_->supernode_parents[s]; parent >= 0) {
        work[at(parent)] += work[s];
        end[at(parent)] = std::max(end[at(parent)], end[s]);
      } else {
        total += work[s];
      }
    }
    const double most = total / (4 * thread_count(threads_));
    double work_of_last = 0;
    for (std::size_t s = 0; s < count_;) {
      if (work[s] > most) {
        top_.push_back(s++);
        continue;
      }
      // Small subtrees that are next to each other are taken together.
      if (!subtrees_.empty() && subtrees_.back().end == s && work_of_last + work[s] <= most) {
        subtrees_.back().end = end[s];
        work_of_last += work[s];
      } else {
        subtrees_.push_back({s, end[s]});
        work_of_last = work[s];
      }
      s = end[s];
    }
  }

  T* pivot_rows(std::size_t s) { return entries_.data() + entry_offsets_[s]; }
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
    mine.front.assign(size * size, values_.none);
    const block<T> front{mine.front.data(), size};
    for (std::size_t i = 0; i < size; ++i) front.row(i)[i] = values_.one;
    for (std::size_t a = arc_offsets_[first]; a < arc_offsets_[first + pivots]; ++a) {
      T& entry = front.row(position(arcs_[a].from))[position(arcs_[a].to)];
      entry = values_.plus(arcs_[a].weight, entry);
    }
    for (std::int32_t child = first_child_[s]; child >= 0; child = next_sibling_[at(child)]) {
      add_contribution(at(child), position, mine, front);
    }
    mine.operations.close(size, pivots, front, threads);
    for (std::size_t k = 0; k < pivots; ++k) {
      if (values_.is_better(front.row(k)[k], values_.one)) has_improving_cycle_ = true;
    }

    std::copy_n(front.row(0), pivots * size, pivot_rows(s));
    T* columns = pivot_columns(s);
    for (std::size_t i = pivots; i < size; ++i) {
      columns = std::copy_n(front.row(i), pivots, columns);
    }
    if (upper.empty()) return;
    contributions_[s] = untouched_buffer<T>(upper.size() * upper.size());
    T* contribution = contributions_[s].data();
    for (std::size_t i = pivots; i < size; ++i) {
      contribution = std::copy_n(front.row(i) + pivots, upper.size(), contribution);
    }
  }

  template <class Position>
  void add_contribution(std::size_t child, Position position, workspace& mine, block<T> front) {
    const auto upper = tree_->upper_of(child);
    mine.in_parent.clear();
    for (const std::int32_t place : upper) mine.in_parent.push_back(position(place));
    const T* entry = contributions_[child].data();
    for (const std::size_t i : mine.in_parent) {
      T* const row = front.row(i);
      for (const std::size_t j : mine.in_parent) {
        row[j] = values_.plus(*entry, row[j]);
        ++entry;
      }
    }
    contributions_[child] = {};
  }

  void make_exact(std::size_t s, workspace& mine, int threads, kept_arcs& kept) {
    const std::size_t pivots = tree_->num_pivots(s);
    const std::size_t size = tree_->front_size(s);
    const std::size_t outside = size - pivots;
    untouched_buffer<T> exact_entries(size * size);
    const block<T> exact{exact_entries.data(), size};
    const block<const T> rows{pivot_rows(s), size};
    const block<const T> columns{pivot_columns(s), pivots};
    if (outside != 0) copy_upper_entries(s, mine, exact.from(pivots, pivots));
    std::copy_n(pivot_rows(s), pivots * size, exact.entries);
    for (std::size_t i = 0; i < outside; ++i) {
      std::copy_n(columns.entries + i * pivots, pivots, exact.row(pivots + i));
    }
    const block<T> upper = exact.from(pivots, pivots);
    mine.operations.multiply(pivots, outside, outside, rows_from(rows, pivots), upper,
                             exact.from(0, pivots), threads);
    mine.operations.multiply(outside, pivots, outside, upper, columns, exact.from(pivots, 0),
                             threads);
    mine.operations.multiply(pivots, pivots, outside, exact.from(0, pivots), columns, exact,
                             threads);
    for (std::size_t i = 0; i < pivots; ++i) {
      if (watch_->stop_requested()) return;
      keep_arcs(s, i, rows, columns, exact, mine, kept);
    }
    if (first_child_[s] >= 0) exact_[s] = std::move(exact_entries);
  }

  static block<const T> rows_from(const block<const T>& rows, std::size_t column) {
    return {rows.entries + column, rows.stride};
  }

  /// Copies the best paths between the upper neighbors of @p s from the front of its parent.
  void copy_upper_entries(std::size_t s, workspace& mine, block<T> to) {
    const std::size_t parent = at(tree_->supernode_parents[s]);
    const std::size_t first = tree_->first_place(parent);
    const std::size_t pivots = tree_->num_pivots(parent);
    const auto parent_upper = tree_->upper_of(parent);
    const auto upper = tree_->upper_of(s);
    mine.in_parent.clear();
    auto next = parent_upper.begin();
    for (const std::int32_t place : upper) {
      if (at(place) >= first) {
        mine.in_parent.push_back(at(place) - first);
      } else {
        next = std::lower_bound(next, parent_upper.end(), place);
        mine.in_parent.push_back(pivots + static_cast<std::size_t>(next - parent_upper.begin()));
      }
    }
    const block<const T> from{exact_[parent].data(), tree_->front_size(parent)};
    for (std::size_t i = 0; i < upper.size(); ++i) {
      const T* const row = from.row(mine.in_parent[i]);
      for (std::size_t j = 0; j < upper.size(); ++j) to.row(i)[j] = row[mine.in_parent[j]];
    }
    if (open_children_[parent].fetch_sub(1) == 1) exact_[parent] = {};
  }

  /// Keeps, of the arcs of pivot @p i, those that no other ones replace.
  void keep_arcs(std::size_t s, std::size_t i, const block<const T>& rows,
                 const block<const T>& columns, const block<T>& exact, workspace& mine,
                 kept_arcs& kept) {
    const std::size_t pivots = tree_->num_pivots(s);
    const std::size_t size = tree_->front_size(s);
    const auto upper = tree_->upper_of(s);
    const auto depth_at = [&](std::size_t position) {
      const std::size_t place =
          position < pivots ? tree_->first_place(s) + position : at(upper[position - pivots]);
      return tree_->depths[place];
    };
    // A pivot that is eliminated later has a lower place.
    const auto for_each_above = [&](auto f) {
      for (std::size_t j = 0; j < i; ++j) f(j);
      for (std::size_t j = pivots; j < size; ++j) f(j);
    };
    const auto choose = [&](auto weight, auto best, auto between, std::vector<sweep_arc<T>>& to) {
      mine.candidates.clear();
      for_each_above([&](std::size_t j) {
        const T w = weight(j);
        if (values_.is_path(w) && !values_.is_better(best(j), w)) mine.candidates.push_back({w, j});
      });
      // Better ones first, so that few of those kept could be replaced by later ones.
      std::sort(mine.candidates.begin(), mine.candidates.end(), [&](const auto& a, const auto& b) {
        if (values_.is_better(a.first, b.first)) return true;
        return !values_.is_better(b.first, a.first) && a.second < b.second;
      });
      const auto is_replaced = [&](const T& w, std::size_t j) {
        return std::any_of(mine.kept.begin(), mine.kept.end(), [&](const auto& other) {
          const T through = values_.times(other.first, between(j, other.second));
          return other.second == j || !values_.is_better(w, through);
        });
      };
      mine.kept.clear();
      for (const auto& [w, j] : mine.candidates) {
        if (!is_replaced(w, j)) mine.kept.emplace_back(w, j);
      }
      // Around a cycle of length 0, rounding may make each arc look worse than a path through the
      // next.
      if (may_round_below_zero_) {
        for_each_above([&](std::size_t j) {
          const T w = weight(j);
          if (values_.is_path(w) && !is_replaced(w, j)) mine.kept.emplace_back(w, j);
        });
      }
      for (const auto& [w, j] : mine.kept) to.push_back({depth_at(j), w});
      return static_cast<std::int32_t>(mine.kept.size());
    };
    kept.places.push_back(static_cast<std::int32_t>(tree_->first_place(s) + i));
    kept.num_up.push_back(
        choose([&](std::size_t j) { return rows.row(i)[j]; },
               [&](std::size_t j) { return exact.row(i)[j]; },
               [&](std::size_t j, std::size_t over) { return exact.row(over)[j]; }, kept.up));
    kept.num_down.push_back(choose(
        [&](std::size_t j) { return j < pivots ? rows.row(j)[i] : columns.row(j - pivots)[i]; },
        [&](std::size_t j) { return exact.row(j)[i]; },
        [&](std::size_t j, std::size_t over) { return exact.row(j)[over]; }, kept.down));
  }

  /// The arcs in the order of their places.
  hierarchy<T> collect() {
    const std::size_t n = tree_->num_vertices();
    hierarchy<T> made;
    made.up_offsets.assign(n + 1, 0);
    made.down_offsets.assign(n + 1, 0);
    for (const kept_arcs& part : kept_) {
      for (std::size_t i = 0; i < part.places.size(); ++i) {
        made.up_offsets[at(part.places[i]) + 1] = part.num_up[i];
        made.down_offsets[at(part.places[i]) + 1] = part.num_down[i];
      }
    }
    std::partial_sum(made.up_offsets.begin(), made.up_offsets.end(), made.up_offsets.begin());
    std::partial_sum(made.down_offsets.begin(), made.down_offsets.end(), made.down_offsets.begin());
    made.up.resize(static_cast<std::size_t>(made.up_offsets[n]));
    made.down.resize(static_cast<std::size_t>(made.down_offsets[n]));
    for (const kept_arcs& part : kept_) {
      auto up = part.up.begin();
      auto down = part.down.begin();
      for (std::size_t i = 0; i < part.places.size(); ++i) {
        const std::size_t place = at(part.places[i]);
        std::copy_n(up, part.num_up[i], made.up.begin() + made.up_offsets[place]);
        std::copy_n(down, part.num_down[i], made.down.begin() + made.down_offsets[place]);
        up += part.num_up[i];
        down += part.num_down[i];
      }
    }
    made.tree = tree_;
    return made;
  }

  struct placed_arc {
    std::int32_t from;
    std::int32_t to;
    T weight;
  };

  /// Work of a supernode apart from relaxations, in relaxations.
  static constexpr double own_work_ = 200;

  shared_tree tree_;
  path_values<S> values_;
  int threads_;
  std::size_t count_;
  bool may_round_below_zero_;  ///< Sums are rounded, and some arc improves on the empty path.
  std::vector<std::size_t> arc_offsets_;  ///< By the lower end.
  std::vector<placed_arc> arcs_;
  std::vector<std::size_t> entry_offsets_;
  untouched_buffer<T> entries_;  ///< Of each supernode, the rows of its pivots and their columns.
  std::vector<untouched_buffer<T>> contributions_;
  std::vector<untouched_buffer<T>> exact_;
  std::vector<std::atomic<std::int32_t>> open_children_;
  std::vector<std::int32_t> first_child_;
  std::vector<std::int32_t> next_sibling_;
  std::vector<supernode_range> subtrees_;
  std::vector<std::size_t> top_;  ///< Ascending.
  std::vector<kept_arcs> kept_;
  std::atomic<bool> has_improving_cycle_ = false;
  const monitor* watch_ = nullptr;
};

}  // namespace apsp::detail::host
