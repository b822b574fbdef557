// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination_tree.hpp"

namespace apsp::detail {

/// An arc between a place and one of its ancestors, which is told by its depth in the tree.
template <class T>
struct sweep_arc {
  std::int32_t depth;
  T weight;
};

/// A graph in which every best path can be replaced by one that first leads up the elimination
/// tree, from ancestor to ancestor, and then down. All arcs lead from a place to an ancestor (up) or
/// from an ancestor to a place (down), and each is a best path between its ends. Source: Dibbelt,
/// Strasser, Wagner 2016.
template <class T>
struct hierarchy {
  elimination_tree tree;
  std::vector<std::int64_t> up_offsets;  ///< By place.
  std::vector<sweep_arc<T>> up;
  std::vector<std::int64_t> down_offsets;
  std::vector<sweep_arc<T>> down;
};

}  // namespace apsp::detail
