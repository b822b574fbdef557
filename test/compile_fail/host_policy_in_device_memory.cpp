// SPDX-License-Identifier: BSL-1.0
// Data in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool solve(const apsp::device_matrix<float>& graph, apsp::device_matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::cuda_tiled, graph, distances));
#else
  return bool(apsp::floyd_warshall(apsp::omp, graph, distances));
#endif
}
