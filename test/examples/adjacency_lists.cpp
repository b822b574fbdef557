// SPDX-License-Identifier: BSL-1.0
// Graphs in plain containers: vectors of (target, weight) pairs, a range of tuples, and structs.
#include <apsp/apsp.hpp>
#include <tuple>
#include <utility>
#include <vector>

struct Flight {
  int to;
  double hours;
};
struct Ferry {
  int from;
  int to;
  double hours;
};

int main() {
  std::vector<std::vector<std::pair<int, double>>> roads(3);
  roads[0].emplace_back(1, 273);
  roads[1].emplace_back(2, 304);
  roads[2].emplace_back(0, 572);
  std::vector<double> km(roads.size());
  if (!apsp::dijkstra(apsp::omp, roads, 0, km)) return 1;

  const std::vector<std::tuple<int, int, double>> links{{0, 1, 273}, {1, 2, 304}, {2, 0, 572}};
  apsp::matrix<double> distances(3);
  if (!apsp::floyd_warshall(apsp::omp, apsp::edges(3, links), distances)) return 1;

  // Lists of targets need the view: vectors of vectors of integers are a matrix.
  const std::vector<std::vector<int>> targets{{1}, {2}, {0}};
  apsp::matrix<int> hops(3);
  const apsp::adjacency_lists_view ring(targets);
  if (!apsp::floyd_warshall(apsp::omp, apsp::unweighted(ring), hops)) return 1;

  // Members of structs are named.
  const std::vector<std::vector<Flight>> flights{{{1, 1.5}}, {{2, 2.5}}, {}};
  std::vector<double> hours(3);
  const apsp::adjacency_lists_view air(flights, &Flight::to, &Flight::hours);
  if (!apsp::dijkstra(apsp::omp, air, 0, hours)) return 1;
  const std::vector<Ferry> ferries{{0, 1, 9}, {1, 2, 7.5}};
  const auto sea = apsp::edges(3, ferries, &Ferry::from, &Ferry::to, &Ferry::hours);
  apsp::matrix<double> by_sea(3);
  if (!apsp::floyd_warshall(apsp::omp, sea, by_sea)) return 1;
  if (hours[2] != 4 || by_sea[0][2] != 16.5) return 1;

  return km[2] == 577 && distances[0][2] == 577 && hops[0][2] == 2 ? 0 : 1;
}
