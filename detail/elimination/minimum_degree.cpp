// SPDX-License-Identifier: BSL-1.0
#include "minimum_degree.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../host/stop_check.hpp"
#include "low_degrees.hpp"
#include "pieces.hpp"
#include "quotient_graph.hpp"

namespace apsp::inline v1::detail {

namespace {

/// Calls make(); returns null if a stop is requested.
template <class Make>
shared_tree tree_or_null(Make make) {
  try {
    return std::make_shared<const elimination_tree>(make());
  } catch (const host::stop_seen&) {
    return nullptr;
  }
}

}  // namespace

std::optional<grouped_order> minimum_degree_order(const neighbor_lists& neighbors,
                                                  const order_limits& limits) {
  try {
    order_work work;
    std::optional<reduced_graph> inside;
    if (limits.entries > entries_of_pieces * static_cast<double>(neighbors.vertices.size())) {
      inside = eliminate_in_pieces(neighbors, limits.by, work);
    }
    const neighbor_lists& outside = inside ? inside->neighbors : neighbors;
    reduced_graph reduced = eliminate_low_degrees(outside, {}, limits.by.watch);
    work.relaxations +=
        relaxations_of_low_degree * static_cast<double>(reduced.order.vertices.size());
    order_limits left = limits;
    left.relaxations -= work.relaxations;
    left.entries -= work.entries;
    if (!quotient_graph(reduced, {}, limits.by.watch).order(left)) return std::nullopt;
    if (!inside) return std::move(reduced.order);
    append(reduced.order, inside->remaining, inside->order);
    return std::move(inside->order);
  } catch (const host::stop_seen&) {
    return std::nullopt;
  }
}

elimination_tree make_elimination_tree(const neighbor_lists& neighbors, grouped_order order,
                                       const host::workers& by) {
  return order.has_groups() ? make_elimination_tree(std::move(order), by)
                            : make_elimination_tree(neighbors, order.vertices, by);
}

shared_tree minimum_degree_tree(std::span<const std::int64_t> offsets,
                                std::span<const std::int32_t> targets, const host::workers& by) {
  return tree_or_null([&] {
    const neighbor_lists neighbors = find_neighbors(offsets, targets, by);
    auto order = minimum_degree_order(neighbors, {.by = by});
    if (!order) throw host::stop_seen{};
    return make_elimination_tree(neighbors, std::move(*order), by);
  });
}

shared_tree tree_of_order(std::span<const std::int64_t> offsets,
                          std::span<const std::int32_t> targets,
                          std::span<const std::int32_t> order, const host::workers& by) {
  return tree_or_null(
      [&] { return make_elimination_tree(find_neighbors(offsets, targets, by), order, by); });
}

}  // namespace apsp::inline v1::detail
