// SPDX-License-Identifier: BSL-1.0
// The jobs within 10, 20 and 30 minutes of each crossing of a town, by public transport or by
// bicycle, and the potential of a gravity model.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <span>
#include <vector>

int main() {
  // A town of 20 x 30 crossings, with travel times in minutes: 2 in a street, 1 in the main street.
  constexpr int rows = 20;
  constexpr int columns = 30;
  constexpr int main_street = 10;
  constexpr int n = rows * columns;
  std::vector<int> from, to;
  std::vector<float> minutes;
  const auto add_street = [&](int a, int b, float time) {
    from.insert(from.end(), {a, b});
    to.insert(to.end(), {b, a});
    minutes.insert(minutes.end(), {time, time});
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int crossing = i * columns + j;
      if (j + 1 < columns) add_street(crossing, crossing + 1, i == main_street ? 1.0F : 2.0F);
      if (i + 1 < rows) add_street(crossing, crossing + columns, 2.0F);
    }
  }
  const apsp::edge_list_view town(n, from, to, minutes);

  // Ten jobs at each crossing, and 4,000 in the factory at the end of the main street.
  const std::size_t factory = main_street * columns + columns - 1;
  std::vector<double> jobs(n, 10);
  jobs[factory] = 4000;

  apsp::matrix<double> reached(n, 3);
  if (!apsp::accessibility(apsp::omp, town, jobs, apsp::within({10, 20, 30}), reached)) return 1;
  const std::size_t station = main_street * columns;
  std::cout << "jobs within 10, 20 and 30 minutes of the station: " << reached[station][0] << ", "
            << reached[station][1] << ", " << reached[station][2] << '\n';

  // Jobs count less with the square of the travel time, which is 3 minutes or more.
  std::vector<double> potential(n);
  if (!apsp::accessibility(apsp::omp, town, jobs, apsp::power(2, 3), potential)) return 1;
  const auto best = std::max_element(potential.begin(), potential.end()) - potential.begin();
  std::cout << "the potential of the station is " << potential[station] << ", that of crossing "
            << best << " is the largest: " << potential[static_cast<std::size_t>(best)] << '\n';

  // A decay of one's own: all jobs within 15 minutes, and half of those within 25.
  const auto in_steps = [](std::span<const float> times, std::span<double> shares) {
    std::transform(times.begin(), times.end(), shares.begin(), [](float t) {
      return t <= 15 ? 1 : t <= 25 ? 0.5 : 0;
    });
  };
  const std::vector<std::size_t> stops{station, factory};
  std::vector<double> weighed(stops.size());
  if (!apsp::accessibility(apsp::omp, town, stops, jobs, in_steps, weighed)) return 1;
  std::cout << "weighed in steps: " << weighed[0] << " jobs at the station, " << weighed[1]
            << " at the factory\n";

  // Residents and jobs by one call, from a matrix of two columns: first the residents within 10 and
  // 30 minutes, then the jobs.
  apsp::matrix<double> amounts(n, 2);
  for (std::size_t v = 0; v < n; ++v) {
    amounts[v][0] = 25;
    amounts[v][1] = jobs[v];
  }
  apsp::contraction_hierarchy roads(apsp::omp, town);
  apsp::matrix<double> sums(n, 4);
  if (!apsp::accessibility(apsp::omp, roads, amounts, apsp::within({10, 30}), sums)) return 1;
  std::cout << "within 30 minutes of the station: " << sums[station][1] << " residents\n";

  // The residents who reach the factory: along reversed arcs.
  std::vector<double> workers(1);
  const std::vector<double> residents(n, 25);
  if (!apsp::accessibility(apsp::omp, apsp::reversed(town), std::vector{factory}, residents,
                           apsp::linear(40), workers)) {
    return 1;
  }
  std::cout << "the factory attracts " << workers[0] << " residents\n";

  const bool is_right =
      sums[station][3] == reached[station][2] && sums[station][2] == reached[station][0];
  return is_right ? 0 : 1;
}
