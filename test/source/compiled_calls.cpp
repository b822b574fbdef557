// SPDX-License-Identifier: BSL-1.0
// Calls that the library has compiled; compiled_calls.cmake inspects the symbols of this file.
#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/boost/adjacency_list.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <apsp/weighted.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <vector>

struct road {
  int km;
};
using town =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, road>;

bool solve(const town& g, apsp::matrix<int>& distances, apsp::matrix<std::int64_t>& predecessors) {
  const auto roads = apsp::weighted(g, &road::km);
  return apsp::floyd_warshall(apsp::cuda_tiled, roads, distances, predecessors) &&
         apsp::all_pairs_shortest_paths(apsp::omp, roads, distances);
}

bool solve(const apsp::edge_list_view<int, double>& g,
           std::vector<std::vector<double>>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, g, distances));
}
