// SPDX-License-Identifier: BSL-1.0
// An algorithm that does not read graphs in device memory.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool solve(const apsp::device_matrix<float>& graph, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::cuda_tiled, graph, distances));
#else
  return bool(apsp::dijkstra(apsp::cuda_tiled, graph, distances));
#endif
}
