// SPDX-License-Identifier: BSL-1.0
// A road map that is prepared once: many calls use it, other programs read it from a file, and
// later the same streets have other travel times.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <iostream>
#include <vector>

int main() {
  // A town of 30 x 40 crossings, with travel times in seconds.
  constexpr int rows = 30;
  constexpr int columns = 40;
  std::vector<int> from, to, seconds;
  const auto add_street = [&](int a, int b) {
    const int time = 9 + (7 * a + 3 * b) % 5;
    from.insert(from.end(), {a, b});
    to.insert(to.end(), {b, a});
    seconds.insert(seconds.end(), {time, time});
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int crossing = i * columns + j;
      if (j + 1 < columns) add_street(crossing, crossing + 1);
      if (i + 1 < rows) add_street(crossing, crossing + columns);
    }
  }
  const apsp::edge_list_view town(rows * columns, from, to, seconds);
  apsp::contraction_hierarchy roads(apsp::omp, town);

  // Calls with the hierarchy as their graph skip the preparation.
  const std::vector<int> depots{0, 615, 1199};
  apsp::matrix<int> times(depots.size(), town.num_vertices());
  if (!apsp::elimination(apsp::omp, roads, depots, times)) return 1;
  const auto summary = apsp::summarize_paths(apsp::omp, roads);
  std::cout << "from corner to corner: " << times[0][1199] << " s, diameter "
            << summary.diameter().distance << " s\n";

  // Another program need not prepare the map again.
  apsp::write_hierarchy("town.hierarchy", roads);
  const auto from_file = apsp::read_hierarchy<int>("town.hierarchy");
  apsp::matrix<int> same_times(depots.size(), town.num_vertices());
  if (!apsp::elimination(apsp::omp, from_file, depots, same_times)) return 1;
  if (same_times != times) return 1;

  // In the rush hour, every third street takes twice as long. The order is kept.
  std::vector<int> rush_hour = seconds;
  for (std::size_t k = 0; k < rush_hour.size(); k += 3) rush_hour[k] *= 2;
  const apsp::edge_list_view later(rows * columns, from, to, rush_hour);
  if (!roads.customize(apsp::omp, later)) return 1;
  if (!apsp::elimination(apsp::omp, roads, depots, times)) return 1;
  std::cout << "in the rush hour: " << times[0][1199] << " s\n";

  apsp::matrix<int> expected(depots.size(), town.num_vertices());
  if (!apsp::dijkstra(apsp::omp, later, depots, expected) || times != expected) return 1;

  // Over another semiring, the routes whose longest wait at one street is the shortest.
  const apsp::min_max<int> longest_wait;
  const apsp::contraction_hierarchy calm(apsp::omp, later, longest_wait);
  if (!apsp::elimination(apsp::omp, calm, depots, times, longest_wait)) return 1;
  std::cout << "at most " << times[0][1199] << " s in one street\n";
  return apsp::dijkstra(apsp::omp, later, depots, expected, longest_wait) && times == expected ? 0
                                                                                               : 1;
}
