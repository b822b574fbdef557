// SPDX-License-Identifier: BSL-1.0
// Replaces calls of Boost.Graph's own functions by those of the library, with a policy as first
// argument, for shortest and for widest paths, and for betweenness.
#include <apsp/apsp.hpp>
#include <apsp/boost/adjacency_list.hpp>
#include <apsp/boost/drop_in.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <vector>

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

// A street with one-way detours: 12 corners, each with arcs to the next, the second next, and the
// first.
graph make_street() {
  graph g(12);
  for (int v = 1; v < 12; ++v) {
    add_edge(v - 1, v, 7, g);
    if (v > 1) add_edge(v - 2, v, 11, g);
    add_edge(v, 0, 40 - v, g);
  }
  return g;
}

int main() {
  const graph g = make_street();
  const auto w = get(boost::edge_weight, g);
  const auto n = num_vertices(g);
  const int inf = std::numeric_limits<int>::max();
  std::vector<std::vector<int>> d(n, std::vector<int>(n));
  boost::floyd_warshall_all_pairs_shortest_paths(g, d, w, std::less<int>(),
                                                 boost::closed_plus<int>(), inf, 0);
  const auto expected = d;

  apsp::floyd_warshall_all_pairs_shortest_paths(apsp::omp, g, d, w, std::less<int>(),
                                                boost::closed_plus<int>(), inf, 0);
  bool same = d == expected;

  apsp::floyd_warshall_all_pairs_shortest_paths(apsp::cuda_tiled, g, d, w);
  same = same && d == expected;

  apsp::floyd_warshall_all_pairs_shortest_paths(apsp::seq, g, d, boost::weight_map(w));
  same = same && d == expected;

  std::cout << "from the first corner to the last: " << d[0][11] << ", and back: " << d[11][0]
            << (same ? ", as Boost says\n" : "; Boost says otherwise\n");

  apsp::floyd_warshall_all_pairs_shortest_paths(apsp::cuda_tiled, g, d, w, std::greater<int>(),
                                                apsp::minimum<int>(), 0, 1000);
  std::cout << "the widest way there: " << d[0][11] << ", and to the corner before: " << d[0][10]
            << '\n';

  std::vector<double> scores(n);
  const auto of_corners =
      boost::make_iterator_property_map(scores.begin(), get(boost::vertex_index, g));
  boost::brandes_betweenness_centrality(g, boost::centrality_map(of_corners).weight_map(w));
  const double third_corner = scores[2];
  apsp::brandes_betweenness_centrality(apsp::omp, g,
                                       boost::centrality_map(of_corners).weight_map(w));
  std::map<graph::edge_descriptor, double> scores_of_streets;
  const auto of_streets = boost::make_assoc_property_map(scores_of_streets);
  apsp::brandes_betweenness_centrality(apsp::omp, g, of_corners, of_streets, w);
  std::cout << "the shares of shortest ways: " << scores[2] << " over the third corner, and "
            << scores_of_streets[edge(0, 2, g).first] << " along the detour to it\n";
  same = same && std::abs(scores[2] - third_corner) < 1e-9;
  return same && d[0][11] == 7 && d[0][10] == 11 ? 0 : 1;
}
