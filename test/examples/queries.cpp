// SPDX-License-Identifier: BSL-1.0
// Some of the distances of a road map: from depots to customers, of trips with the places that they
// pass, from the nearest depot, and all within a limit.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

int main() {
  // A road of ten places; the way back is as long.
  constexpr int n = 10;
  std::vector<int> from;
  std::vector<int> to;
  std::vector<int> km;
  for (int v = 0; v + 1 < n; ++v) {
    from.insert(from.end(), {v, v + 1});
    to.insert(to.end(), {v + 1, v});
    km.insert(km.end(), {10 + v, 10 + v});
  }
  const apsp::edge_list_view roads(n, from, to, km);
  const std::vector<int> depots{0, 8};

  const std::vector<int> customers{1, 4, 9};
  std::vector<std::vector<int>> table(depots.size(), std::vector<int>(customers.size()));
  if (!apsp::distance_table(apsp::omp, roads, depots, customers, table)) return 1;
  std::cout << "From place " << depots[1] << " to place " << customers[1] << ": " << table[1][1]
            << " km\n";

  const std::vector<int> trips_from{3, 0, 9};
  const std::vector<int> trips_to{6, 9, 3};
  std::vector<int> lengths(trips_from.size());
  if (!apsp::distances_of_pairs(apsp::omp, roads, trips_from, trips_to, lengths)) return 1;
  std::cout << "From place 3 to place 6: " << lengths[0] << " km\n";

  std::vector<int> trips_past(n);
  const auto done = apsp::for_each_path(
      apsp::omp, roads, trips_from, trips_to,
      [&](std::size_t /*trip*/, const int& /*length*/, std::span<const std::int32_t> path) {
        for (const std::int32_t v : path) ++trips_past[static_cast<std::size_t>(v)];
      });
  if (!done) return 1;
  std::cout << "Trips that pass place 5: " << trips_past[5] << '\n';

  std::vector<int> distances(n);
  std::vector<int> nearest(n);
  std::vector<int> predecessors(n);
  if (!apsp::nearest_sources(apsp::omp, roads, depots, distances, nearest, predecessors)) return 1;
  std::cout << "Place 5 is supplied from " << nearest[5] << ", " << distances[5] << " km, by";
  for (const std::size_t v : apsp::path(predecessors, static_cast<std::size_t>(nearest[5]), 5)) {
    std::cout << ' ' << v;
  }
  std::cout << '\n';

  const auto near = apsp::distances_within(apsp::omp, roads, 25);
  if (!near) return 1;
  std::cout << "Within 25 km of place 3:";
  for (std::int64_t k = near.offsets[3]; k < near.offsets[4]; ++k) {
    const auto entry = static_cast<std::size_t>(k);
    std::cout << ' ' << near.targets[entry] << " (" << near.distances[entry] << " km)";
  }
  std::cout << '\n';
  // The places and the ways within 25 km are a graph.
  const auto short_ways = apsp::csr_view(near.offsets, near.targets, near.distances);

  const bool is_right = table[1][1] == 62 && lengths == std::vector<int>{42, 126, 93} &&
                        trips_past == std::vector<int>{1, 1, 1, 3, 3, 3, 3, 2, 2, 2} &&
                        nearest[5] == 8 && distances[5] == 48 &&
                        apsp::num_vertices_of(short_ways) == n;
  return is_right ? 0 : 1;
}
