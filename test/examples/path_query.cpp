// SPDX-License-Identifier: BSL-1.0
// Solves once and answers many queries: the shortest path between two vertices of a grid with a
// wall.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

namespace {

constexpr int side = 9;

// The wall is the middle column, except for its last square.
bool is_free(int x, int y) {
  return x >= 0 && y >= 0 && x < side && y < side && (x != side / 2 || y == side - 1);
}
std::size_t square(int x, int y) {
  return static_cast<std::size_t>(y * side + x);
}

}  // namespace

int main() {
  std::vector<std::size_t> from, to;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
        if (!is_free(x, y) || !is_free(x + dx, y + dy)) continue;
        from.push_back(square(x, y));
        to.push_back(square(x + dx, y + dy));
      }
    }
  }
  const apsp::edge_list_view grid(side * side, from, to);
  apsp::matrix<std::int32_t> distances(side * side);
  apsp::matrix<std::int32_t> predecessors(side * side);
  if (!apsp::floyd_warshall(apsp::omp, apsp::unweighted(grid), distances, predecessors)) return 1;

  const std::size_t start = square(0, 0), end = square(side - 1, 0);
  const auto path = apsp::path(predecessors, start, end);
  std::cout << distances[start][end] << " steps round the wall:";
  for (const std::size_t v : path) std::cout << " (" << v % side << ',' << v / side << ')';
  std::cout << '\n';
  const bool in_the_wall = apsp::path(predecessors, start, square(side / 2, 0)).empty();
  return distances[start][end] == 24 && path.size() == 25 && in_the_wall ? 0 : 1;
}
