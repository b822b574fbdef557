// SPDX-License-Identifier: BSL-1.0
// Closeness centrality: the number of vertices that a vertex reaches, divided by the sum of its
// distances to them. Rows are summed as they arrive: memory does not grow with the square of n.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <span>
#include <vector>

int main() {
  // A star of four streets with four houses each; the streets begin at vertex 0.
  constexpr int streets = 4;
  constexpr int length = 4;
  constexpr int n = 1 + streets * length;
  std::vector<int> from;
  std::vector<int> to;
  for (int v = 1; v < n; ++v) {
    const int neighbour = v % length == 1 ? 0 : v - 1;
    from.insert(from.end(), {v, neighbour});
    to.insert(to.end(), {neighbour, v});
  }
  const std::vector<float> metres(from.size(), 20.0F);
  const apsp::edge_list_view town(n, from, to, metres);

  std::vector<int> sources;
  for (int v = 0; v < n; ++v) sources.push_back(v);
  std::vector<double> closeness(n);
  const auto done = apsp::for_each_row(
      apsp::cuda_tiled, town, sources, [&](std::size_t source, std::span<const float> distances) {
        double sum = 0;
        std::size_t reached = 0;
        for (const float d : distances) {
          if (d == apsp::unreachable<float>) continue;
          sum += d;
          ++reached;
        }
        if (reached > 1) closeness[source] = static_cast<double>(reached - 1) / sum;
      });
  if (!done) return 1;  // a negative cycle

  std::size_t best = 0;
  for (std::size_t v = 0; v < closeness.size(); ++v) {
    if (closeness[v] > closeness[best]) best = v;
  }
  std::cout << to_string(done.algorithm()) << " on " << to_string(done.executed_on()) << ": vertex "
            << best << ", " << 1 / closeness[best] << " m from the others on average\n";
  return best == 0 && closeness[best] == 0.02 ? 0 : 1;
}
