// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "matrix_traits.hpp"
#include "unreachable.hpp"

namespace apsp {

/// The vertices of a shortest path from @p s to @p t, both included.
///
/// @param predecessors  n x n, as an all-pairs algorithm wrote it.
/// @return {s} if s is t; empty if no path leads from s to t.
/// @throws std::out_of_range if s or t is no vertex; std::invalid_argument if the entries run in a
///         circle or leave the vertices, which no algorithm of the library writes.
/// Complexity: the number of vertices on the path.
template <readable_matrix Predecessors>
std::vector<std::size_t> path(const Predecessors& predecessors, std::size_t s, std::size_t t) {
  using index = matrix_value_t<const Predecessors>;
  std::size_t n = static_cast<std::size_t>(-1);
  if constexpr (has_matrix_shape<const Predecessors>) {
    n = static_cast<std::size_t>(shape_of(predecessors)->rows);
    if (s >= n || t >= n) throw std::out_of_range("apsp::path: no such vertex");
  }
  std::vector<std::size_t> vertices{t};
  while (vertices.back() != s) {
    const index before = matrix_entry(predecessors, s, vertices.back());
    if (before == no_predecessor<index>) {
      if (vertices.size() == 1) return {};
      throw std::invalid_argument("apsp::path: the predecessors break off");
    }
    const auto vertex = static_cast<std::size_t>(before);
    if (vertex >= n || vertices.size() >= n) {
      throw std::invalid_argument("apsp::path: the predecessors are no tree");
    }
    vertices.push_back(vertex);
  }
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace apsp
