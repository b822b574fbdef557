// SPDX-License-Identifier: BSL-1.0
// Pipes between reservoirs: the length of the shortest path, and the width of the widest of these.
// Runs on a GPU if there is one. Any C++ compiler compiles this file.
#include "own_semiring.hpp"

#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdio>
#include <vector>

int main() {
  using pipe = shortest_then_widest::value_type;
  const std::vector<int> from{0, 0, 1, 2, 3};
  const std::vector<int> to{1, 2, 3, 3, 4};
  const std::vector<pipe> pipes{{7, 40}, {5, 25}, {3, 30}, {5, 60}, {4, 20}};
  const apsp::edge_list_view network(5, from, to, pipes);

  apsp::matrix<pipe> best(5);
  const apsp::result done =
      apsp::floyd_warshall(apsp::cuda_tiled, network, best, shortest_then_widest{});
  if (!done) return 1;

  std::printf("0 -> 3: %d away, %d wide\n", best[0][3].length, best[0][3].width);
  std::printf("0 -> 4: %d away, %d wide\n", best[0][4].length, best[0][4].width);
  const bool right = best[0][3] == pipe{10, 30} && best[0][4] == pipe{14, 20};
  return right ? 0 : 1;
}
