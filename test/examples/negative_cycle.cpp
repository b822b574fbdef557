// SPDX-License-Identifier: BSL-1.0
// Exchange rates as a graph: a negative cycle of weights -log(rate) is an arbitrage.
#include <apsp/apsp.hpp>
#include <cmath>
#include <iostream>
#include <vector>

int main() {
  const char* const names[] = {"USD", "EUR", "GBP"};
  const std::vector<int> from{0, 1, 2};
  const std::vector<int> to{1, 2, 0};
  std::vector<double> weights;
  for (const double rate : {0.93, 0.87, 1.27}) weights.push_back(-std::log(rate));

  apsp::matrix<double> distances(3);
  const auto done =
      apsp::floyd_warshall(apsp::seq, apsp::edge_list_view(3, from, to, weights), distances);
  if (done) return 1;
  for (const auto v : done.negative_cycle()) std::cout << names[v] << ' ';
  std::cout << "gains\n";
  return 0;
}
