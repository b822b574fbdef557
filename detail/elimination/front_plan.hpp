// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../apsp/config.hpp"
#include "elimination_tree.hpp"

namespace apsp::inline v1::detail {

/// The supernodes from `begin` to `end` - 1.
struct supernode_range {
  std::size_t begin;
  std::size_t end;
};

/// Where the entries of fronts are stored, and which threads eliminate them.
struct front_plan {
  /// By supernode: where the rows of its pivots start, and after them their columns.
  std::vector<std::size_t> entry_offsets;
  std::vector<std::int32_t> first_child;  ///< By supernode; -1 if there is none.
  std::vector<std::int32_t> next_sibling;
  std::vector<std::int32_t> num_children;
  std::vector<supernode_range> subtrees;  ///< Threads take them on their own.
  std::vector<std::size_t>
      top;  ///< The supernodes above them, ascending; threads share their work.
};

APSP_EXPORT front_plan plan_fronts(const elimination_tree& tree, int num_threads);

}  // namespace apsp::inline v1::detail
