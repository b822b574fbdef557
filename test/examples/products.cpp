// SPDX-License-Identifier: BSL-1.0
// Distances by repeated squaring, and products of matrices that are not square.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  // A ring of four towns, one way.
  apsp::matrix<float> roads(4, 4, apsp::unreachable<float>);
  for (std::size_t u = 0; u < 4; ++u) roads[u][(u + 1) % 4] = 2;
  apsp::matrix<float> distances(4);
  if (!apsp::repeated_squaring(apsp::omp, roads, distances)) return 1;

  // From two towns to a port, and from the port to three islands.
  const std::vector<std::vector<float>> to_port{{3}, {5}}, from_port{{10, 20, 30}};
  apsp::matrix<float> by_sea(2, 3, apsp::unreachable<float>);
  if (!apsp::min_plus_product(apsp::omp, to_port, from_port, by_sea)) return 1;

  // The load that a lorry and then a ship can carry: the lesser of two limits.
  const std::vector<std::vector<float>> lorries{{8}, {12}}, ships{{10, 6, 40}};
  apsp::matrix<float> loads(2, 3);
  if (!apsp::semiring_product(apsp::omp, lorries, ships, loads, apsp::max_min<float>{})) return 1;

  std::cout << "round the ring " << distances[0][3] << ", town 1 to island 2: " << by_sea[1][2]
            << ", with a load of " << loads[1][2] << '\n';
  return distances[0][3] == 6 && by_sea[1][2] == 35 && loads[1][2] == 12 ? 0 : 1;
}
