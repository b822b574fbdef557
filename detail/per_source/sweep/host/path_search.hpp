// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../../../elimination/elimination_tree.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../values/distance_code.hpp"
#include "climb.hpp"

// The vertices of shortest paths from a hierarchy.
namespace apsp::inline v1::detail::host {

/// The lengths of shortest paths to one vertex at a time, the target, from any other.
///
/// A path leads up the elimination tree and then down, so the length from a vertex follows from
/// those of its ancestors. They are kept for the ancestors of the last vertex: neighbors in the
/// graph are ancestors of each other, and have most of their ancestors in common.
template <class C>
class remaining_lengths {
 public:
  remaining_lengths(const hierarchy<C>& graph, const path_values<min_plus<C>>& values)
      : graph_(graph),
        tree_(*graph.tree),
        values_(values),
        down_(static_cast<std::size_t>(tree_.height), values.none),
        target_line_(down_.size()),
        lengths_(down_.size()),
        line_(down_.size()) {}

  void set_target(std::int32_t place) {
    depth_of_target_ = depth_of(tree_, place);
    num_known_ = 0;
    const auto prepend = [&](const C& path, const C& arc) { return values_.times(arc, path); };
    climb(tree_, values_, place, graph_.down_offsets, graph_.down, prepend, down_,
          [&](std::size_t depth, std::int32_t ancestor) { target_line_[depth] = ancestor; });
  }

  C from(std::int32_t place) {
    const std::size_t depth = depth_of(tree_, place);
    std::size_t first_new = depth + 1;
    for (std::int32_t p = place; p >= 0 && !is_known(first_new - 1, p);) {
      line_[--first_new] = p;
      p = tree_.parents[at(p)];
    }
    for (std::size_t d = first_new; d <= depth; ++d) lengths_[d] = from_ancestors(d);
    if (first_new <= depth) num_known_ = depth + 1;
    return lengths_[depth];
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  bool is_known(std::size_t depth, std::int32_t place) const {
    return depth < num_known_ && line_[depth] == place;
  }
  C from_ancestors(std::size_t depth) const {
    const std::int32_t place = line_[depth];
    const bool is_above_target = depth <= depth_of_target_ && target_line_[depth] == place;
    C least = is_above_target ? down_[depth] : values_.none;
    for (auto a = graph_.up_offsets[at(place)]; a < graph_.up_offsets[at(place) + 1]; ++a) {
      const sweep_arc<C>& arc = graph_.up[at(a)];
      const C& above = lengths_[at(arc.depth)];
      if (values_.is_path(above)) least = values_.plus(values_.times(arc.weight, above), least);
    }
    return least;
  }

  const hierarchy<C>& graph_;
  const elimination_tree& tree_;
  path_values<min_plus<C>> values_;
  std::vector<C> down_;  ///< By depth: the least lengths from ancestors of the target, downwards.
  std::vector<std::int32_t> target_line_;  ///< By depth: the ancestors of the target.
  std::vector<C> lengths_;                 ///< By depth: of `line_`.
  std::vector<std::int32_t> line_;         ///< By depth: the ancestors of a vertex.
  std::size_t depth_of_target_ = 0;
  std::size_t num_known_ = 0;  ///< So many of the first in `line_` have a length.
};

/// Finds shortest paths arc by arc: the next arc is one that the length which remains is equal to,
/// with the length from its end.
template <class T, class C>
class path_search {
 public:
  /// @param arcs  of the graph, between vertices.
  path_search(const hierarchy<C>& graph, const distance_code<C>& code,
              const adjacency_view<T>& arcs)
      : tree_(*graph.tree),
        values_(sums_in(code)),
        code_(code),
        arcs_(arcs),
        remaining_(graph, values_) {}

  /// The vertices of a shortest path; there must be one. The span is valid until the next call.
  std::span<const std::int32_t> find(std::int32_t source, std::int32_t target) {
    remaining_.set_target(tree_.places[at(target)]);
    // Rounding may hide that an arc is part of a shortest path.
    if (!search(source, target)) search_best_first(source, target);
    return path_;
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  /// The length of the shortest path over arc number @p a.
  C length_over(std::size_t a) {
    const C rest = remaining_.from(tree_.places[at(arcs_.targets[a])]);
    if (!values_.is_path(rest)) return values_.none;
    return values_.times(narrowed_weight(arcs_.weights[a], code_), rest);
  }

  /// The best arc of a vertex, and the length of the shortest path over it.
  std::pair<std::size_t, C> best_arc(std::size_t u) {
    std::pair<std::size_t, C> best{arcs_.end(u), values_.none};
    for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
      const C length = length_over(a);
      if (values_.is_better(length, best.second)) best = {a, length};
    }
    return best;
  }

  /// Searches depth first along arcs of shortest paths. Only cycles of length 0 lead back to a
  /// vertex, or into a dead end.
  bool search(std::int32_t source, std::int32_t target) {
    path_.assign(1, source);
    visited_.clear();
    visited_.insert(source);
    while (!path_.empty() && path_.back() != target) {
      const auto u = at(path_.back());
      const auto [best, length] = best_arc(u);
      std::int32_t next = -1;
      const auto take = [&](std::size_t a) {
        if (next < 0 && visited_.insert(arcs_.targets[a]).second) next = arcs_.targets[a];
      };
      if (best != arcs_.end(u)) take(best);
      for (std::size_t a = arcs_.begin(u); next < 0 && a < arcs_.end(u); ++a) {
        const C other = length_over(a);
        if (values_.is_path(other) && !values_.is_better(length, other)) take(a);
      }
      if (next < 0) {
        path_.pop_back();
      } else {
        path_.push_back(next);
      }
    }
    return !path_.empty();
  }

  /// Settles vertices in the order of the length of the shortest path over each, until the target.
  void search_best_first(std::int32_t source, std::int32_t target) {
    struct open_vertex {
      C over;    ///< The length of the shortest path over the vertex.
      C length;  ///< That of its first part.
      std::int32_t vertex;
      std::int32_t before;
    };
    const auto is_later = [&](const open_vertex& a, const open_vertex& b) {
      return values_.is_better(b.over, a.over);
    };
    std::vector<open_vertex> open{
        {remaining_.from(tree_.places[at(source)]), values_.one, source, -1}};
    std::unordered_map<std::int32_t, std::int32_t> before;
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), is_later);
      const open_vertex next = open.back();
      open.pop_back();
      if (!before.emplace(next.vertex, next.before).second) continue;
      if (next.vertex == target) break;
      const std::size_t u = at(next.vertex);
      for (std::size_t a = arcs_.begin(u); a < arcs_.end(u); ++a) {
        const C rest = remaining_.from(tree_.places[at(arcs_.targets[a])]);
        if (!values_.is_path(rest) || before.contains(arcs_.targets[a])) continue;
        const C length = values_.times(next.length, narrowed_weight(arcs_.weights[a], code_));
        open.push_back({values_.times(length, rest), length, arcs_.targets[a], next.vertex});
        std::push_heap(open.begin(), open.end(), is_later);
      }
    }
    path_.clear();
    for (std::int32_t v = target; v >= 0; v = before.at(v)) path_.push_back(v);
    std::reverse(path_.begin(), path_.end());
  }

  const elimination_tree& tree_;
  path_values<min_plus<C>> values_;
  distance_code<C> code_;
  adjacency_view<T> arcs_;
  remaining_lengths<C> remaining_;
  std::vector<std::int32_t> path_;
  std::unordered_set<std::int32_t> visited_;
};

}  // namespace apsp::inline v1::detail::host
