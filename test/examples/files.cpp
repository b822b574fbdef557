// SPDX-License-Identifier: BSL-1.0
// Reads a graph file, and writes a file of distances for NumPy.
#include <apsp/apsp.hpp>
#include <apsp/files.hpp>
#include <apsp/npy.hpp>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <vector>

int main() {
  std::ofstream("island.gr") << "c two towns and a harbour\np sp 3 4\n"
                                "a 1 2 12\na 2 1 12\na 2 3 5\na 3 1 9\n";
  const auto roads = apsp::read_graph<std::int32_t>("island.gr");  // format by extension
  apsp::matrix<std::int32_t> distances(roads.num_vertices());
  if (!apsp::floyd_warshall(apsp::omp, roads, distances)) return 1;
  apsp::write_npy("island.npy", distances);

  std::ofstream("votes.txt") << "# who voted for whom\n30 1412\n30 3352\n1412 3352\n";
  std::vector<std::int64_t> ids;
  const auto votes = apsp::read_edge_list<float>("votes.txt", {.renumber = true, .ids = &ids});

  std::cout << "harbour to the second town: " << distances[2][1] << "; vertex 1 of the votes is "
            << ids[1] << '\n';
  return distances[2][1] == 21 && votes.num_vertices() == 3 && ids[1] == 1412 ? 0 : 1;
}
