// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../graph/adjacency.hpp"

// What searches from batches of sources need of their graph, in lanes and on devices.
namespace apsp::inline v1::detail {

/// Of each of the `reversed_arcs`: which arc it is.
template <class C>
std::vector<std::uint32_t> numbers_of_reversed(const adjacency_view<C>& arcs) {
  std::vector<std::uint32_t> numbers(arcs.num_edges());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return reversed_arcs(adjacency_view<std::uint32_t>{arcs.offsets, arcs.targets, numbers}).weights;
}

/// The numbers of sources in an order in which neighbors are close to each other.
/// @param places  of all vertices in such an order.
inline std::vector<std::size_t> numbers_by_neighborhood(std::span<const std::int32_t> places,
                                                        std::span<const std::int32_t> sources) {
  const auto place_of = [&](std::size_t i) { return places[static_cast<std::size_t>(sources[i])]; };
  std::vector<std::size_t> numbers(sources.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
  return numbers;
}

}  // namespace apsp::inline v1::detail
