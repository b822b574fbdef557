// SPDX-License-Identifier: BSL-1.0
// The minutes of the fastest routes between depots and customers, and the kilometres along them.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <iostream>
#include <vector>

int main() {
  // A ring road around a town of five places, and streets through it.
  struct road {
    int from, to;
    double minutes, km;
  };
  const std::vector<road> roads{{0, 1, 6, 9.5},  {1, 2, 6, 8.5},  {2, 3, 6, 9},    {3, 0, 6, 9.5},
                                {0, 4, 12, 4.5}, {1, 4, 13, 5.5}, {2, 4, 11, 3.5}, {3, 4, 12, 5}};
  constexpr int n = 5;
  std::vector<int> from, to;
  std::vector<double> minutes, km;
  for (const road& r : roads) {
    from.insert(from.end(), {r.from, r.to});
    to.insert(to.end(), {r.to, r.from});
    minutes.insert(minutes.end(), {r.minutes, r.minutes});
    km.insert(km.end(), {r.km, r.km});
  }
  const std::vector<int> depots{0, 4};
  const std::vector<int> customers{1, 2, 3};

  const apsp::edge_list_view town(n, from, to, minutes);
  const auto routes = apsp::carry(town, [&](const apsp::edge& e) { return km[e.index]; });
  apsp::matrix<apsp::carried<double, double>> table(depots.size(), customers.size());
  if (!apsp::distance_table(apsp::omp, routes, depots, customers, table)) return 1;
  const auto [time, length] = table[0][1];
  std::cout << "from depot 0 to customer 2: " << time << " minutes, " << length << " km\n";

  // The same from a hierarchy, which is prepared once for several calls.
  const apsp::contraction_hierarchy prepared(apsp::omp, routes);
  const std::vector<int> trips_from{0, 3, 4};
  const std::vector<int> trips_to{2, 1, 4};
  std::vector<apsp::carried<double, double>> trips(trips_from.size());
  if (!apsp::distances_of_pairs(apsp::omp, prepared, trips_from, trips_to, trips)) return 1;
  for (std::size_t k = 0; k < trips.size(); ++k) {
    std::cout << "trip from " << trips_from[k] << " to " << trips_to[k] << ": " << trips[k].distance
              << " minutes, " << trips[k].attribute << " km\n";
  }

  // Both ways around the ring take 12 minutes, and 18 and 18.5 km.
  const bool is_right = time == 12 && length == 18 && trips[0] == table[0][1];
  return is_right ? 0 : 1;
}
