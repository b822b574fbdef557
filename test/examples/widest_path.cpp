// SPDX-License-Identifier: BSL-1.0
// The widest way for a stream of data between two hosts, and the most reliable one.
#include <apsp/apsp.hpp>
#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::vector<std::string> hosts{"Rome", "Milan", "Zurich", "Vienna", "Berlin"};
  const std::vector<int> from{0, 1, 2, 0, 3, 1};
  const std::vector<int> to{1, 2, 4, 3, 4, 4};
  const std::vector<float> gigabits{40, 100, 25, 10, 100, 1};
  const std::vector<double> uptime{0.99, 0.98, 0.99, 0.999, 0.998, 0.95};
  const std::size_t n = hosts.size();

  const std::vector<int> sources{0};
  apsp::matrix<float> widths(sources.size(), n);
  apsp::matrix<int> predecessors(sources.size(), n);
  const auto widest = apsp::dijkstra(apsp::cuda_tiled, apsp::edge_list_view(n, from, to, gigabits),
                                     sources, widths, predecessors, apsp::max_min<float>{});

  std::cout << "Rome to Berlin: " << widths[0][4] << " Gbit/s, by";
  for (const auto v : apsp::path(predecessors, 0, 0, 4)) std::cout << ' ' << hosts[v];
  std::cout << '\n';

  const apsp::edge_list_view links(n, from, to, uptime);
  apsp::matrix<double> chances(n);
  const auto safest =
      apsp::floyd_warshall(apsp::cuda_tiled, links, chances, apsp::max_times<double>{});
  std::cout << "and with a chance of " << chances[0][4] << " by the most reliable one\n";
  return widest && safest && widths[0][4] == 25 && chances[0][4] > 0.99 ? 0 : 1;
}
