// SPDX-License-Identifier: BSL-1.0
// The input of a graph transformer: the number of bonds between the atoms of each molecule of a
// batch, in one array of one byte per pair of atoms.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
  // Each molecule is a list of bonds, in compressed sparse rows; every third one is a ring.
  struct molecule {
    std::vector<int> offsets{0};
    std::vector<int> neighbors;
  };
  std::vector<molecule> molecules;
  for (int m = 0; m < 32; ++m) {
    const int atoms = 5 + m % 20;
    const bool is_ring = m % 3 == 0;
    molecule chain;
    for (int a = 0; a < atoms; ++a) {
      if (a > 0 || is_ring) chain.neighbors.push_back((a + atoms - 1) % atoms);
      if (a + 1 < atoms || is_ring) chain.neighbors.push_back((a + 1) % atoms);
      chain.offsets.push_back(static_cast<int>(chain.neighbors.size()));
    }
    molecules.push_back(chain);
  }

  const auto bonds_of = [](const molecule& m) {
    return apsp::unweighted(apsp::csr_view(m.offsets, m.neighbors));
  };
  std::vector<decltype(bonds_of(molecules[0]))> graphs;
  for (const molecule& m : molecules) graphs.push_back(bonds_of(m));

  constexpr std::size_t most_atoms = 24;
  std::vector<std::uint8_t> hops(graphs.size() * most_atoms * most_atoms);
  const apsp::padded_matrices padded(hops.data(), graphs.size(), most_atoms, 255, 0);
  for (const apsp::result& done : apsp::breadth_first_search(apsp::omp, graphs, padded)) {
    if (!done || done.saturated()) return 1;
  }

  // Molecule 5 is a chain of 10 atoms.
  std::cout << "from end to end of molecule 5: " << +padded[5][0][9] << " bonds\n";
  return padded[5][0][9] == 9 && padded[5][0][10] == 0 && padded[3][0][7] == 1 ? 0 : 1;
}
