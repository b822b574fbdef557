// SPDX-License-Identifier: BSL-1.0
// Closeness, eccentricities and numbers of hops: measures of all distances that do not store the
// distances.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
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

  const auto summary = apsp::summarize_paths(apsp::cuda_tiled, town);
  if (!summary) return 1;  // a negative cycle

  const auto [distance, source, target] = summary.diameter();
  std::cout << "radius " << summary.radius() << " m, diameter " << distance << " m, from " << source
            << " to " << target << "\n";
  std::size_t best = 0;
  for (std::size_t v = 0; v < summary.sources().size(); ++v) {
    if (summary.closeness(v) > summary.closeness(best)) best = v;
  }
  std::cout << "vertex " << best << " is " << 1 / summary.closeness(best)
            << " m from the others on average, and any two are " << summary.mean_distance()
            << " m apart\n";

  // Every edge is one hop, in bins of width 1: 0, 1, ..., 7 hops.
  const auto bins = apsp::histogram_bins<int>::of_width(0, 1, 8);
  const auto hops = apsp::path_length_histogram(apsp::cuda_tiled, apsp::unweighted(town), bins);
  for (std::size_t h = 1; h < hops.counts.size(); ++h) {
    std::cout << hops.counts[h] << " pairs are " << h << " hops apart\n";
  }
  std::cout << hops.above << " are farther\n";

  const bool is_right = summary.radius() == 80 && distance == 160 && source == 4 && target == 8 &&
                        best == 0 && summary.closeness(0) == 0.02 && hops.counts[1] == 32 &&
                        hops.above == 12;
  return is_right ? 0 : 1;
}
