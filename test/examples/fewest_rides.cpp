// SPDX-License-Identifier: BSL-1.0
// The number of rides between all stations of a railway, whatever they take.
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  const std::vector<int> from{0, 1, 1, 2, 2, 3, 3, 4, 0, 3};
  const std::vector<int> to{1, 0, 2, 1, 3, 2, 4, 3, 3, 0};
  const std::vector<int> minutes{12, 12, 9, 9, 14, 14, 31, 31, 55, 55};

  const auto rides = apsp::unweighted(apsp::edge_list_view(5, from, to, minutes));
  apsp::matrix<int> counts(5);
  if (!apsp::breadth_first_search(apsp::omp, rides, counts)) return 1;

  std::cout << "from 0 to 4: " << counts[0][4] << " rides\n";
  return counts[0][4] == 2 ? 0 : 1;
}
