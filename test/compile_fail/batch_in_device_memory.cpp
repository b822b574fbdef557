// SPDX-License-Identifier: BSL-1.0
// Many graphs in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(std::vector<apsp::device_matrix<float>>& graphs) {
#ifdef APSP_TEST_RIGHT
  return apsp::floyd_warshall(apsp::cuda_tiled, graphs, graphs).empty();
#else
  return apsp::floyd_warshall(apsp::omp, graphs, graphs).empty();
#endif
}
