// SPDX-License-Identifier: BSL-1.0
// Distances and a path between the cities of a Boost.Graph road map.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <iostream>
#include <string>

struct City {
  std::string name;
};
struct Road {
  float km;
};
using RoadMap = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, City, Road>;

int main() {
  RoadMap g;
  const auto rome = add_vertex(City{"Rome"}, g);
  const auto florence = add_vertex(City{"Florence"}, g);
  const auto milan = add_vertex(City{"Milan"}, g);
  add_edge(rome, florence, Road{273}, g);
  add_edge(florence, milan, Road{304}, g);
  add_edge(milan, rome, Road{572}, g);

  apsp::matrix<float> distances(num_vertices(g));
  apsp::matrix<int> predecessors(num_vertices(g));
  const auto done =
      apsp::floyd_warshall(apsp::cuda_tiled, apsp::weighted(g, &Road::km), distances, predecessors);
  if (done.outcome() == apsp::outcome::negative_cycle) return 1;

  std::cout << "ran on " << to_string(done.executed_on()) << '\n';
  std::cout << "Rome to Milan: " << distances[rome][milan] << " km, by";
  for (const auto city : apsp::path(predecessors, rome, milan)) std::cout << ' ' << g[city].name;
  std::cout << '\n';
  return distances[rome][milan] == 577 ? 0 : 1;
}
