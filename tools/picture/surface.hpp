// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "scene.hpp"

namespace apsp_picture {

/// Adds an arc in each direction whose weight is the distance of the points.
inline void add_edge(scene& s, std::int32_t u, std::int32_t v) {
  const point& a = s.points[static_cast<std::size_t>(u)];
  const point& b = s.points[static_cast<std::size_t>(v)];
  const double length = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  s.from.insert(s.from.end(), {u, v});
  s.to.insert(s.to.end(), {v, u});
  s.weights.insert(s.weights.end(), {length, length});
}

/// Adds each edge of the triangles once in each direction.
inline void add_edges_of_triangles(scene& s) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(3 * s.triangles.size());
  for (const auto& [a, b, c] : s.triangles) {
    for (const auto& edge : {std::minmax({a, b}), std::minmax({b, c}), std::minmax({c, a})}) {
      if (edge.first != edge.second) edges.emplace_back(edge);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& [u, v] : edges) add_edge(s, u, v);
}

}  // namespace apsp_picture
