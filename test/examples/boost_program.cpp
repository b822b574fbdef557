// SPDX-License-Identifier: BSL-1.0
// A program that calls all-pairs functions of Boost.Graph, the same calls of the library with a
// policy, its own call with paths, and a GPU.
#include <apsp/apsp.hpp>
#include <apsp/boost/adjacency_list.hpp>
#include <apsp/boost/drop_in.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <iostream>
#include <vector>

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;
using table = std::vector<std::vector<int>>;

// A ring road of n towns; a truck loads at every third town, which pays for some of the way.
graph make_ring(int n) {
  graph g(n);
  for (int v = 0; v < n; ++v) add_edge(v, (v + 1) % n, v % 3 == 2 ? -3 : 5, g);
  return g;
}

// The program as it was.
bool solve_by_boost(const graph& g, table& d) {
  return boost::floyd_warshall_all_pairs_shortest_paths(g, d);
}
bool solve_by_boost_johnson(const graph& g, table& d) {
  return boost::johnson_all_pairs_shortest_paths(g, d);
}

// Step 1: another namespace, and a policy.
bool solve(const graph& g, table& d) {
  return apsp::floyd_warshall_all_pairs_shortest_paths(apsp::omp, g, d);
}
bool solve_johnson(const graph& g, table& d) {
  return apsp::johnson_all_pairs_shortest_paths(apsp::omp, g, d);
}

int main() {
  graph g = make_ring(60);
  const auto n = num_vertices(g);
  table expected(n, std::vector<int>(n)), d = expected, d2 = expected, d3 = expected;
  bool same = solve_by_boost(g, expected) && solve_by_boost_johnson(g, d) && d == expected;
  same = same && solve(g, d2) && d2 == expected && solve_johnson(g, d3) && d3 == expected;

  // Step 2: the library's own call.
  apsp::matrix<int> distances(n), predecessors(n);
  apsp::result done = apsp::all_pairs_shortest_paths(apsp::omp, g, distances, predecessors);
  std::cout << "from 0 to 4: " << distances[0][4] << " by";
  for (const auto v : apsp::path(predecessors, 0, 4)) std::cout << ' ' << v;
  std::cout << "\nby " << to_string(done.algorithm()) << '\n';
  same = same && done && distances[0][4] == expected[0][4];

  // Step 3: a GPU.
  done = apsp::all_pairs_shortest_paths(apsp::cuda_tiled, g, distances, predecessors);
  std::cout << "ran on " << to_string(done.executed_on()) << '\n';
  same = same && done && distances[0][4] == expected[0][4];

  // A road back makes a negative cycle.
  add_edge(3, 2, -9, g);
  add_edge(2, 3, 2, g);
  same = same && !solve_by_boost(g, d) && !solve(g, d);
  done = apsp::all_pairs_shortest_paths(apsp::omp, g, distances, predecessors);
  if (done.outcome() == apsp::outcome::negative_cycle) {
    std::cout << "a negative cycle:";
    for (const auto v : done.negative_cycle()) std::cout << ' ' << v;
    std::cout << '\n';
  }
  return same && !done ? 0 : 1;
}
