// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "predecessor_lists.hpp"

namespace apsp::inline v1 {

/// The return type of `shortest_paths`: an input range, and a view.
class shortest_paths_view : public std::ranges::view_base {
 public:
  /// Walks from the target back to the source, into the first predecessor that is left at each
  /// vertex.
  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = std::span<const std::int32_t>;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    /// The current path. Valid until the iterator is advanced or destroyed.
    std::span<const std::int32_t> operator*() const noexcept { return path_; }
    iterator& operator++() {
      next();
      return *this;
    }
    void operator++(int) { next(); }
    friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
      return i.steps_.empty();
    }

   private:
    friend class shortest_paths_view;

    /// A vertex on the way back, and which of its predecessors the way takes next.
    struct step {
      std::int32_t vertex;
      std::size_t next;
    };

    iterator(const predecessor_lists_view& lists, std::size_t target) : lists_(lists) {
      if (target != lists_.source() && lists_[target].empty()) return;
      enter(target);
      complete();
    }

    void enter(std::size_t v) {
      if (v >= lists_.size() || steps_.size() >= lists_.size()) {
        throw std::invalid_argument(
            "apsp::shortest_paths: the predecessors form a cycle or are out of range");
      }
      steps_.push_back({static_cast<std::int32_t>(v), 0});
    }
    std::size_t last() const { return static_cast<std::size_t>(steps_.back().vertex); }
    /// Goes back to the source.
    void complete() {
      while (last() != lists_.source()) {
        const std::span<const std::int32_t> before = lists_[last()];
        if (before.empty()) {
          throw std::invalid_argument(
              "apsp::shortest_paths: the predecessors of the target end before the source");
        }
        enter(static_cast<std::size_t>(before[steps_.back().next++]));
      }
      path_.resize(steps_.size());
      std::transform(steps_.rbegin(), steps_.rend(), path_.begin(),
                     [](const step& s) { return s.vertex; });
    }
    void next() {
      do {
        steps_.pop_back();
      } while (!steps_.empty() && steps_.back().next == lists_[last()].size());
      if (!steps_.empty()) complete();
    }

    predecessor_lists_view lists_;
    std::vector<step> steps_;         ///< From the target on; empty at the end.
    std::vector<std::int32_t> path_;  ///< Their vertices, from the source on.
  };

  shortest_paths_view(const predecessor_lists_view& lists, std::size_t target)
      : lists_(lists), target_(target) {}
  iterator begin() const { return {lists_, target_}; }
  static constexpr std::default_sentinel_t end() noexcept { return {}; }

 private:
  predecessor_lists_view lists_;
  std::size_t target_;
};

/// All shortest paths from the source of the lists to a target, one after the other: an input range
/// of the vertices of each path, as `std::span<const std::int32_t>` from the source to the target.
///
/// The range refers to the arrays of @p predecessors. Each of its iterators enumerates all paths,
/// and keeps only the current one; a span is valid until its iterator is advanced. Paths come in
/// lexicographic order of their vertices from the target back to the source, if the list of each
/// vertex ascends, as those of `tight_predecessors` do: first that over the least predecessor of
/// the target. Parallel arcs make no paths of their own.
///
/// @param predecessors  a view that `tight_predecessors` passes, or a `predecessor_lists`.
/// @param target        the number of a vertex. If it is the source, there is one path, of one
///                      vertex; if no path leads to it, the range is empty.
/// @throws std::out_of_range if the target is not a vertex; and iterators throw
///         std::invalid_argument if they find a cycle or a number out of range, or do not reach the
///         source, which does not happen with the lists of `tight_predecessors`.
/// Complexity: of the next path, time that is linear in the number of its vertices and of those of
/// the one before. Memory: linear in the number of vertices of a path.
inline shortest_paths_view shortest_paths(const predecessor_lists_view& predecessors,
                                          std::size_t target) {
  if (target >= predecessors.size()) {
    throw std::out_of_range("apsp::shortest_paths: vertex " + std::to_string(target) +
                            " is out of range: there are " + std::to_string(predecessors.size()) +
                            " vertices");
  }
  return {predecessors, target};
}
inline shortest_paths_view shortest_paths(const predecessor_lists& predecessors,
                                          std::size_t target) {
  return shortest_paths(predecessors.view(), target);
}
// Reports at compile time that the arrays would not live as long as the range.
template <class Lists>
  requires std::same_as<Lists, predecessor_lists>
shortest_paths_view shortest_paths(Lists&&, std::size_t) {
  static_assert(!std::same_as<Lists, predecessor_lists>,
                "apsp::shortest_paths: this view would refer to the elements of a temporary; keep "
                "the predecessor_lists in a variable");
  return {{}, 0};
}

// Reports at compile time, in one sentence, why the arguments are not accepted above.
template <class Predecessors, class Vertex>
  requires(!std::convertible_to<Predecessors, predecessor_lists_view> &&
           !std::same_as<Predecessors, predecessor_lists>) ||
          (!std::convertible_to<Vertex, std::size_t>)
shortest_paths_view shortest_paths(const Predecessors&, const Vertex&) {
  constexpr bool is_number = std::convertible_to<Vertex, std::size_t>;
  static_assert(is_number,
                "apsp::shortest_paths: the target must be the number of a vertex; for a vertex "
                "descriptor pass numbers_by_vertex(g)(v)");
  static_assert(!is_number,
                "apsp::shortest_paths: expected a predecessor_lists_view, as tight_predecessors "
                "passes it, or a predecessor_lists");
  return {{}, 0};
}

}  // namespace apsp::inline v1
