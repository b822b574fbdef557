// SPDX-License-Identifier: BSL-1.0
// Rows of distances for a list of stops in which one stop occurs twice. The index of a row is the
// position of its source in the list, since rows come in any order.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <span>
#include <vector>

int main() {
  const std::vector<int> from{0, 1, 2, 3, 1}, to{1, 2, 3, 0, 3}, minutes{4, 3, 2, 8, 7};
  const apsp::edge_list_view roads(4, from, to, minutes);

  // A tour that begins and ends at vertex 2.
  const std::vector<int> stops{2, 0, 1, 2};
  std::vector<int> to_next_stop(stops.size());
  const auto done = apsp::for_each_row(
      apsp::omp, roads, stops,
      [&](std::size_t row, std::size_t /*source*/, std::span<const int> distances) {
        if (row + 1 < stops.size()) {
          to_next_stop[row] = distances[static_cast<std::size_t>(stops[row + 1])];
        }
      });
  if (!done) return 1;  // a negative cycle

  int total = 0;
  for (const int m : to_next_stop) {
    std::cout << m << ' ';
    total += m;
  }
  std::cout << "= " << total << " minutes\n";
  return total == 10 + 4 + 3 ? 0 : 1;
}
