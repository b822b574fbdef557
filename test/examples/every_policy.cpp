// SPDX-License-Identifier: BSL-1.0
// The same call with every policy, on a Boost.Graph road map.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>  // only when the program uses Boost.Graph
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

RoadMap load() {
  RoadMap g;
  for (const char* name : {"Rome", "Florence", "Milan", "Turin"}) add_vertex(City{name}, g);
  add_edge(0, 1, Road{273}, g);
  add_edge(1, 2, Road{304}, g);
  add_edge(2, 3, Road{143}, g);
  add_edge(3, 0, Road{702}, g);
  return g;
}

int main() {
  const RoadMap g = load();
  apsp::matrix<float> distances(num_vertices(g));

  auto done = apsp::floyd_warshall(apsp::seq, apsp::weighted(g, &Road::km), distances);
  const float expected = distances[0][3];
  bool right = done && expected == 720;
  done = apsp::floyd_warshall(apsp::omp, apsp::weighted(g, &Road::km), distances);
  right = right && done && distances[0][3] == expected;
  done = apsp::floyd_warshall(apsp::cuda_naive, apsp::weighted(g, &Road::km), distances);
  right = right && done && distances[0][3] == expected;
  done = apsp::floyd_warshall(apsp::cuda_tiled, apsp::weighted(g, &Road::km), distances);
  right = right && done && distances[0][3] == expected;

  std::cout << "Rome to Turin: " << distances[0][3] << " km, computed by "
            << to_string(done.executed_on()) << ' ' << done.fallback_reason() << '\n';
  return right ? 0 : 1;
}
