// SPDX-License-Identifier: BSL-1.0
// One call on a Boost graph, by the library or, with BY_BOOST, by Boost.Graph:
// ci/steps/compile_time.sh compares how long they compile.
#include <boost/graph/adjacency_list.hpp>
#include <vector>
#ifdef BY_BOOST
#include <boost/graph/floyd_warshall_shortest.hpp>
#else
#include <apsp/boost/adjacency_list.hpp>
#include <apsp/floyd_warshall.hpp>
#endif

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

bool solve(const graph& g, std::vector<std::vector<int>>& distances) {
#ifdef BY_BOOST
  return boost::floyd_warshall_all_pairs_shortest_paths(g, distances);
#else
  return static_cast<bool>(apsp::floyd_warshall(apsp::omp, g, distances));
#endif
}
