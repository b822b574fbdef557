// SPDX-License-Identifier: BSL-1.0
// Widest paths with a result in device memory.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool solve(const apsp::matrix<float>& graph, apsp::device_matrix<float>& widths) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::dijkstra(apsp::cuda_tiled, graph, widths, apsp::min_plus<float>{}));
#else
  return bool(apsp::dijkstra(apsp::cuda_tiled, graph, widths, apsp::max_min<float>{}));
#endif
}
