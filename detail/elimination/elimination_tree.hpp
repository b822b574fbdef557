// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../../apsp/config.hpp"
#include "../host/workers.hpp"
#include "neighbors.hpp"

namespace apsp::inline v1::detail {

/// Which arcs elimination in some order adds, and which steps depend on each other.
///
/// Vertices are renamed to places: place p is eliminated before place q if p > q, so ancestors in
/// the elimination tree have lower places than their descendants, and a subtree is a range of
/// places. After elimination, the neighbors of a place that were eliminated later are its
/// ancestors; they are its upper neighbors.
///
/// A supernode is a path of the tree whose places have the same upper neighbors outside of it. It
/// is eliminated as one dense front: its own places and their upper neighbors.
struct elimination_tree {
  std::vector<std::int32_t> vertices;  ///< The vertex at each place.
  std::vector<std::int32_t> places;    ///< The place of each vertex.
  std::vector<std::int32_t> parents;   ///< By place; -1 for a root.
  std::vector<std::int32_t> depths;    ///< By place: the number of ancestors.
  std::int32_t height = 0;             ///< The largest depth + 1; 0 without vertices.

  /// Supernode s consists of the places from first[s] to first[s + 1] - 1.
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> supernode_parents;  ///< -1 for a root.
  std::vector<std::int64_t> upper_offsets;
  std::vector<std::int32_t> upper;  ///< Upper neighbors outside the supernode, ascending.

  std::size_t num_vertices() const { return vertices.size(); }
  std::size_t num_supernodes() const { return first.size() - 1; }
  std::size_t first_place(std::size_t s) const { return static_cast<std::size_t>(first[s]); }
  std::size_t num_pivots(std::size_t s) const {
    return static_cast<std::size_t>(first[s + 1] - first[s]);
  }
  std::span<const std::int32_t> upper_of(std::size_t s) const {
    const auto begin = static_cast<std::size_t>(upper_offsets[s]);
    return {upper.data() + begin, static_cast<std::size_t>(upper_offsets[s + 1]) - begin};
  }
  /// The number of rows of the front of a supernode.
  std::size_t front_size(std::size_t s) const { return num_pivots(s) + upper_of(s).size(); }
  /// Pairs of vertices between which fronts have entries.
  std::size_t num_pairs() const {
    std::size_t pairs = 0;
    for (std::size_t s = 0; s < num_supernodes(); ++s) {
      pairs += num_pivots(s) * (num_pivots(s) - 1) / 2 + num_pivots(s) * upper_of(s).size();
    }
    return pairs;
  }
  /// Relaxations that close the front.
  double front_work(std::size_t s) const {
    const auto size = static_cast<double>(front_size(s));
    return static_cast<double>(num_pivots(s)) * size * size;
  }
};

/// The hierarchies of a graph have one tree in common.
using shared_tree = std::shared_ptr<const elimination_tree>;

/// The numbers of @p vertices in an order in which vertices with many common ancestors are close to
/// each other: descending places.
APSP_EXPORT std::vector<std::size_t> numbers_by_place(const elimination_tree& tree,
                                                      std::span<const std::int32_t> vertices);

/// Finds @p places and all of their ancestors, descending.
/// @param places  descending.
/// Complexity: linear in the number of @p places and of those found.
APSP_EXPORT void find_ancestors(const elimination_tree& tree, std::span<const std::int32_t> places,
                                std::vector<std::int32_t>& found);

/// The number of places in the subtree of each place, including itself.
APSP_EXPORT std::vector<std::int32_t> find_subtree_sizes(const elimination_tree& tree);

/// The time to close a front, in relaxations of a loop over single entries.
double front_time(double num_pivots, double size);

/// Vertices that are eliminated one after the other.
struct vertex_run {
  std::int32_t first;
  std::int32_t count;
};

/// An order of elimination with the arcs that it adds. A group is a run of vertices that are
/// adjacent to each other and to the same other vertices when the first of them is eliminated.
struct grouped_order {
  std::vector<std::int32_t> vertices;    ///< Every vertex once, in the order of elimination.
  std::vector<std::int32_t> group_ends;  ///< By group: the number of vertices up to its end.
  /// By group, its neighbors that are eliminated after it, as runs.
  std::vector<std::int64_t> later_ends;
  std::vector<vertex_run> later;

  std::size_t num_groups() const { return group_ends.size(); }
  bool has_groups() const { return vertices.empty() || !group_ends.empty(); }
  std::size_t begin(std::size_t g) const {
    return g == 0 ? 0 : static_cast<std::size_t>(group_ends[g - 1]);
  }
  std::size_t end(std::size_t g) const { return static_cast<std::size_t>(group_ends[g]); }
  std::span<const vertex_run> later_of(std::size_t g) const {
    const auto first = g == 0 ? 0 : static_cast<std::size_t>(later_ends[g - 1]);
    return {later.data() + first, static_cast<std::size_t>(later_ends[g]) - first};
  }
};

/// The tree of an order of the caller.
/// @param order  every vertex once, in the order of elimination.
/// @throws host::stop_seen if a stop is requested.
/// Complexity: almost linear in the number of neighbors and of upper neighbors of supernodes.
/// Source: Liu 1990 (the tree); Gilbert, Ng, Peyton 1994 (numbers of upper neighbors).
APSP_EXPORT elimination_tree make_elimination_tree(const neighbor_lists& neighbors,
                                                   std::span<const std::int32_t> order,
                                                   const host::workers& by = {});
/// The same tree if the added arcs are known.
/// @throws host::stop_seen if a stop is requested.
/// Complexity: O(n log n) and linear in the number of upper neighbors.
APSP_EXPORT elimination_tree make_elimination_tree(grouped_order order,
                                                   const host::workers& by = {});

}  // namespace apsp::inline v1::detail
