// SPDX-License-Identifier: BSL-1.0
#include "order_search.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "../host/stop_check.hpp"
#include "../plan/elimination_rates.hpp"
#include "../plan/rates.hpp"
#include "minimum_degree.hpp"
#include "neighbors.hpp"

namespace apsp::inline v1::detail {

shared_tree search_order(std::span<const std::int64_t> offsets,
                         std::span<const std::int32_t> targets, distance_kind kind,
                         double preparation_time, double search_time, const host::workers& by) {
  try {
    const neighbor_lists neighbors = find_neighbors(offsets, targets, by);
    // Large fronts are closed by tile kernels, eight times as fast as single entries.
    const double joined = eliminating.arc_joined * static_cast<double>(targets.size());
    const order_limits limits{8 * preparation_time / (eliminating.front_time * lane_factor(kind)),
                              (search_time - joined) / eliminating.entry_read, by};
    auto order = minimum_degree_order(neighbors, limits);
    if (!order) return nullptr;
    return std::make_shared<const elimination_tree>(
        make_elimination_tree(neighbors, std::move(*order), by));
  } catch (const host::stop_seen&) {
    return nullptr;
  }
}

order_structure structure_of(const elimination_tree& tree) {
  order_structure found;
  found.height = static_cast<double>(tree.height);
  found.supernodes = static_cast<double>(tree.num_supernodes());
  for (std::size_t s = 0; s < tree.num_supernodes(); ++s) {
    const auto pivots = static_cast<double>(tree.num_pivots(s));
    const auto size = static_cast<double>(tree.front_size(s));
    found.front_entries += pivots * size;
    found.front_time += front_time(pivots, size);
  }
  // About as many arcs are kept.
  found.num_kept = 1.5 * std::sqrt(found.front_entries * static_cast<double>(tree.num_vertices()));
  return found;
}

}  // namespace apsp::inline v1::detail
