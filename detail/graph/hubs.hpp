// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "adjacency.hpp"

namespace apsp::inline v1::detail {

/// The number of arcs of each vertex, in both directions.
template <class C>
std::vector<std::size_t> degrees_of(const adjacency_view<C>& arcs) {
  std::vector<std::size_t> degrees(arcs.num_vertices());
  for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] = arcs.end(v) - arcs.begin(v);
  for (const std::int32_t v : arcs.targets) ++degrees[static_cast<std::size_t>(v)];
  return degrees;
}

/// True if @p count vertices have several times as many arcs as a vertex has on average: not in
/// roads, meshes and uniformly random graphs. Complexity: O(n + m).
template <class C>
bool has_hubs(const adjacency_view<C>& arcs, std::size_t count) {
  constexpr std::size_t times = 3;
  std::vector<std::size_t> degrees = degrees_of(arcs);
  const std::size_t n = degrees.size();
  if (n < count) return false;
  const auto last = degrees.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(degrees.begin(), last, degrees.end(), std::greater<>{});
  return *last * n >= times * 2 * arcs.num_edges();
}

/// At most @p count vertices with the most arcs, in either direction; of those with equally many,
/// the ones with smaller numbers. Complexity: O(m + n log count).
template <class C>
std::vector<std::int32_t> vertices_of_largest_degree(const adjacency_view<C>& arcs,
                                                     std::size_t count) {
  const std::vector<std::size_t> degrees = degrees_of(arcs);
  const auto degree = [&](std::int32_t v) { return degrees[static_cast<std::size_t>(v)]; };
  std::vector<std::int32_t> vertices(arcs.num_vertices());
  std::iota(vertices.begin(), vertices.end(), 0);
  count = std::min(count, vertices.size());
  std::partial_sort(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(count),
                    vertices.end(), [&](std::int32_t a, std::int32_t b) {
                      return std::pair(degree(b), a) < std::pair(degree(a), b);
                    });
  vertices.resize(count);
  return vertices;
}

}  // namespace apsp::inline v1::detail
