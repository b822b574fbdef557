// SPDX-License-Identifier: BSL-1.0
// Pipes between reservoirs: how much can flow along one path, and over how few pipes. Runs on a GPU if
// there is one; this file is compiled by any C++ compiler.
#include "own_semiring.hpp"

#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdio>
#include <vector>

int main() {
  using capacity = widest_then_fewest::value_type;
  const std::vector<int> from{0, 0, 1, 2, 3};
  const std::vector<int> to{1, 2, 3, 3, 4};
  const std::vector<capacity> pipes{{40, 1}, {25, 1}, {30, 1}, {30, 1}, {20, 1}};
  const apsp::edge_list_view network(5, from, to, pipes);

  apsp::matrix<capacity> best(5);
  const apsp::result done =
      apsp::floyd_warshall(apsp::cuda_tiled, network, best, widest_then_fewest{});
  if (!done) return 1;

  std::printf("0 -> 3: %d over %d pipes\n", best[0][3].width, best[0][3].edges);
  std::printf("0 -> 4: %d over %d pipes\n", best[0][4].width, best[0][4].edges);
  const bool right = best[0][3] == capacity{30, 2} && best[0][4] == capacity{20, 3};
  return right ? 0 : 1;
}
