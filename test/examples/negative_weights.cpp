// SPDX-License-Identifier: BSL-1.0
// The energy that an electric car needs between towns: a road downhill charges the battery, so its
// weight is negative.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  const std::vector<int> from{0, 1, 1, 2, 3}, to{1, 0, 2, 3, 1};
  const std::vector<int> watt_hours{900, -500, 400, -300, 700};
  const apsp::edge_list_view roads(4, from, to, watt_hours);
  const std::vector<int> sources{0, 3};
  apsp::matrix<int> energy(sources.size(), 4), predecessors(sources.size(), 4);
  if (!apsp::johnson(apsp::omp, roads, sources, energy, predecessors)) return 1;

  std::cout << "town 3 to town 0: " << energy[1][0] << " Wh by";
  for (const auto v : apsp::path(predecessors, 1, sources[1], 0)) std::cout << ' ' << v;
  std::cout << '\n';
  return energy[1][0] == 200 && energy[0][3] == 1000 ? 0 : 1;
}
