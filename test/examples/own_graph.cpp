// SPDX-License-Identifier: BSL-1.0
// A user-defined graph type with a specialisation of graph_adaptor: a grid whose edges are computed
// and not stored.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

struct Grid {
  std::size_t rows;
  std::size_t columns;
};

template <>
struct apsp::graph_adaptor<Grid> {
  using weight_type = int;

  static std::size_t num_vertices(const Grid& g) { return g.rows * g.columns; }

  template <class F>
  static void for_each_edge(const Grid& g, F f) {
    for (std::size_t v = 0; v < num_vertices(g); ++v) {
      if (v % g.columns + 1 < g.columns) {
        f(v, v + 1, 1);
        f(v + 1, v, 1);
      }
      if (v + g.columns < num_vertices(g)) {
        f(v, v + g.columns, 1);
        f(v + g.columns, v, 1);
      }
    }
  }
};

int main() {
  const Grid grid{8, 8};
  std::vector<std::vector<int>> distances(64, std::vector<int>(64));
  if (!apsp::floyd_warshall(apsp::omp, grid, distances)) return 1;
  std::cout << "corner to corner: " << distances[0][63] << " steps\n";
  return distances[0][63] == 14 ? 0 : 1;
}
