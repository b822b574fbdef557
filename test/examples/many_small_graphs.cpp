// SPDX-License-Identifier: BSL-1.0
// Thousands of small graphs in one call: which of 2000 molecules are long?
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  // Each molecule is a chain of atoms; every third chain is closed to a ring.
  std::vector<apsp::matrix<float>> bonds;
  for (std::size_t m = 0; m < 2000; ++m) {
    const std::size_t atoms = 5 + m % 40;
    apsp::matrix<float> molecule(atoms, atoms, apsp::unreachable<float>);
    for (std::size_t a = 0; a + 1 < atoms; ++a) molecule[a][a + 1] = molecule[a + 1][a] = 1.5f;
    if (m % 3 == 0) molecule[0][atoms - 1] = molecule[atoms - 1][0] = 1.5f;
    bonds.push_back(molecule);
  }

  std::vector<apsp::matrix<float>> distances;
  for (const auto& molecule : bonds) distances.emplace_back(molecule.rows());
  const std::vector<apsp::result> done = apsp::floyd_warshall(apsp::cuda_tiled, bonds, distances);

  std::size_t long_ones = 0;
  for (std::size_t m = 0; m < done.size(); ++m) {
    if (!done[m]) return 1;  // a negative cycle in molecule m
    float longest = 0;
    for (const float d : distances[m]) longest = d > longest ? d : longest;
    if (longest > 60) ++long_ones;
  }
  std::cout << long_ones << " of " << done.size() << " molecules are longer than 60\n";
  // Molecules of 42 to 44 atoms are long, except for the third that are rings.
  return long_ones == 100 ? 0 : 1;
}
