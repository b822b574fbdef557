// SPDX-License-Identifier: BSL-1.0
// The cities along a path of a Boost graph whose vertex descriptors are not numbers: from
// descriptors to numbers, and back.
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
using RoadMap = boost::adjacency_list<boost::vecS, boost::listS, boost::directedS, City, Road>;

int main() {
  RoadMap g;
  const auto rome = add_vertex(City{"Rome"}, g);
  const auto florence = add_vertex(City{"Florence"}, g);
  const auto milan = add_vertex(City{"Milan"}, g);
  add_edge(rome, florence, Road{273}, g);
  add_edge(florence, milan, Road{304}, g);

  const auto vertices = apsp::vertices_by_number(g);
  apsp::matrix<float> distances(vertices.size());
  apsp::matrix<int> predecessors(vertices.size());
  if (!apsp::floyd_warshall(apsp::seq, apsp::weighted(g, &Road::km), distances, predecessors)) {
    return 1;
  }
  const auto number = apsp::numbers_by_vertex(g);
  const auto cities = apsp::path(predecessors, number(rome), number(milan));
  for (const auto i : cities) std::cout << g[vertices[i]].name << ' ';
  std::cout << distances[number(rome)][number(milan)] << " km\n";
  return vertices[cities.back()] == milan && distances[0][2] == 577 ? 0 : 1;
}
