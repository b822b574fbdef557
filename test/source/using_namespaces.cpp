// SPDX-License-Identifier: BSL-1.0
// A program with using-directives for std, boost and apsp: the ambiguous names are those of
// docs/boost_graph.md.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace std;
using namespace boost;
using namespace apsp;

struct Road {
  float km;
};
using Town = adjacency_list<vecS, vecS, directedS, no_property, Road>;

bool solve(const Town& g) {
  using apsp::distance_compare;
  using apsp::graph;
  using apsp::unreachable;
  using boost::edge;
  static_assert(graph<Town>);
  const auto w = weighted(g, &Road::km);
  apsp::matrix<float> d(num_vertices(g));
  apsp::matrix<int> p(num_vertices(g));
  std::vector<float> row(num_vertices(g));
  const result done = floyd_warshall(omp, w, d, p, max_min<float>{});
  bool all = done && done.outcome() == outcome::solved;
  all = all && johnson(seq, reversed(w), d) && dijkstra(cuda_tiled, unweighted(g), 0, row);
  all = all && all_pairs_shortest_paths(cuda_naive, w, d) && bellman_ford(omp, w, d, p);
  all = all && repeated_squaring(seq, w, d) && min_plus_product(seq, d, d, d, overwrite);
  all = all && floyd_warshall_all_pairs_shortest_paths(seq, g, d, get(&Road::km, g),
                                                       distance_compare<min_plus<float>>(),
                                                       closed_plus<float>(), 1e9F, 0.0F);
  const auto vertices_in_order = vertices_by_number(boost_graph(g, get(vertex_index, g)));
  for (const auto v : path(p, 0, 1)) all = all && edge(vertices_in_order[v], 0, g).second;
  return all && d[0][1] != unreachable<float> && !summarize_paths(seq, w).sources().empty();
}
