// SPDX-License-Identifier: BSL-1.0
// The distances between all crossings of a town, from a solver for sparse graphs: each crossing is
// joined with few others, and streets rarely cross elsewhere.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  // A town of 30 x 40 crossings. Streets are 90 to 130 metres long.
  constexpr int rows = 30;
  constexpr int columns = 40;
  std::vector<int> from, to, metres;
  const auto add_street = [&](int a, int b) {
    const int length = 90 + (7 * a + 3 * b) % 41;
    from.insert(from.end(), {a, b});
    to.insert(to.end(), {b, a});
    metres.insert(metres.end(), {length, length});
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int crossing = i * columns + j;
      if (j + 1 < columns) add_street(crossing, crossing + 1);
      if (i + 1 < rows) add_street(crossing, crossing + columns);
    }
  }
  const apsp::edge_list_view town(rows * columns, from, to, metres);
  apsp::matrix<int> distances(rows * columns);
  if (!apsp::elimination(apsp::omp, town, distances)) return 1;

  const int corner_to_corner = distances[0][rows * columns - 1];
  std::cout << "from corner to corner: " << corner_to_corner << " metres\n";

  // Dijkstra's algorithm gives the same distances, one source after another.
  apsp::matrix<int> expected(rows * columns);
  return apsp::dijkstra(apsp::omp, town, expected) && distances == expected ? 0 : 1;
}
