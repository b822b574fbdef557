// SPDX-License-Identifier: BSL-1.0
// Exchange rates as a graph with weights -log(rate): a profitable sequence of exchanges is a
// negative cycle. Bellman–Ford finds one that is reachable from a given currency.
#include <apsp/apsp.hpp>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  const std::vector<const char*> names{"USD", "EUR", "GBP", "JPY"};
  const std::vector<std::vector<double>> rates{{1.0000, 0.9300, 0.7900, 151.00},
                                               {1.0740, 1.0000, 0.8520, 162.00},
                                               {1.2640, 1.1720, 1.0000, 190.50},
                                               {0.0066, 0.0061, 0.0052, 1.0000}};
  apsp::matrix<double> weights(names.size());
  for (std::size_t u = 0; u < names.size(); ++u) {
    for (std::size_t v = 0; v < names.size(); ++v) weights[u][v] = -std::log(rates[u][v]);
  }

  const std::vector<int> at_hand{0};  // dollars
  apsp::matrix<double> distances(at_hand.size(), names.size());
  const auto done = apsp::bellman_ford(apsp::seq, weights, at_hand, distances);
  if (done) {
    std::cout << "nothing to gain\n";
    return 1;
  }
  const std::vector<std::size_t>& round = done.negative_cycle();
  double gain = 1;
  std::cout << names[round[0]];
  for (std::size_t i = 1; i < round.size(); ++i) {
    gain *= rates[round[i - 1]][round[i]];
    std::cout << " -> " << names[round[i]];
  }
  std::cout << ": 1 becomes " << gain << '\n';
  return gain > 1 ? 0 : 1;
}
