// SPDX-License-Identifier: BSL-1.0
// The distances before the sources.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& sources,
           apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::dijkstra(apsp::seq, graph, sources, distances));
#else
  return bool(apsp::dijkstra(apsp::seq, graph, distances, sources));
#endif
}
