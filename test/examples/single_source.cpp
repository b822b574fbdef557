// SPDX-License-Identifier: BSL-1.0
// The distances from one vertex, in vectors.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <iostream>
#include <vector>

struct Road {
  double km;
};
using RoadMap =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Road>;

int main() {
  RoadMap g(4);
  add_edge(0, 1, Road{273}, g);
  add_edge(1, 2, Road{304}, g);
  add_edge(2, 3, Road{143}, g);
  add_edge(3, 0, Road{702}, g);

  std::vector<double> distances(num_vertices(g));
  std::vector<std::size_t> predecessors(num_vertices(g));
  const auto done = apsp::dijkstra(apsp::omp, apsp::weighted(g, &Road::km), vertex(1, g), distances,
                                   predecessors);
  if (!done) return 1;
  std::cout << "1 to 0: " << distances[0] << " km, by";
  for (const auto v : apsp::path(predecessors, 1, 0)) std::cout << ' ' << v;
  std::cout << '\n';
  return distances[0] == 1149 ? 0 : 1;
}
