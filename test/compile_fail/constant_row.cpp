// SPDX-License-Identifier: BSL-1.0
// Constant distances from one source.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
bool solve(const apsp::matrix<float>& graph, std::vector<float>& distances) {
#else
bool solve(const apsp::matrix<float>& graph, const std::vector<float>& distances) {
#endif
  return bool(apsp::dijkstra(apsp::seq, graph, 0, distances));
}
