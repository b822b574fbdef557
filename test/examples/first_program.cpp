// SPDX-License-Identifier: BSL-1.0
// The program of the README: distances and one path of a graph given as an edge list.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  const std::vector<int> from{0, 1, 2, 0}, to{1, 2, 3, 3}, km{4, 3, 2, 12};
  const apsp::edge_list_view roads(4, from, to, km);
  apsp::matrix<int> distances(4), predecessors(4);
  if (!apsp::all_pairs_shortest_paths(apsp::omp, roads, distances, predecessors)) return 1;

  std::cout << "0 to 3: " << distances[0][3] << " km by";
  for (const auto v : apsp::path(predecessors, 0, 3)) std::cout << ' ' << v;
  std::cout << '\n';
  return distances[0][3] == 9 ? 0 : 1;
}
