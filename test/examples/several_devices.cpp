// SPDX-License-Identifier: BSL-1.0
// Distances on all GPUs of the machine. Without one, the same calls run on the host.
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

int main() {
  // A ring with chords.
  constexpr std::int32_t n = 1000;
  std::vector<std::int32_t> from;
  std::vector<std::int32_t> to;
  std::vector<float> length;
  for (std::int32_t v = 0; v < n; ++v) {
    for (const std::int32_t step : {1, 37}) {
      from.push_back(v);
      to.push_back((v + step) % n);
      length.push_back(static_cast<float>(step) / 2);
    }
  }
  const apsp::edge_list_view graph(n, from, to, length);

  const auto all = apsp::cuda_tiled.devices(apsp::all_devices);
  apsp::matrix<float> distances(n);
  const apsp::result done = apsp::floyd_warshall(all, graph, distances);
  if (!done || distances[0][37] != 18.5F) return 1;

  std::vector<std::int32_t> sources(n);
  for (std::int32_t v = 0; v < n; ++v) sources[static_cast<std::size_t>(v)] = v;
  std::size_t equal = 0;
  const apsp::result by_rows =
      apsp::for_each_row(all, graph, sources, [&](std::size_t source, std::span<const float> row) {
        equal += row[(source + 37) % n] == 18.5F ? 1 : 0;
      });
  if (!by_rows || equal != n) return 1;
  std::cout << "on " << done.num_devices() << " devices\n";
}
