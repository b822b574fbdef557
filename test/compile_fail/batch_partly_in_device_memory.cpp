// SPDX-License-Identifier: BSL-1.0
// Many graphs in device memory with distances in host memory.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using result = apsp::device_matrix<float>;
#else
using result = apsp::matrix<float>;
#endif

bool solve(const std::vector<apsp::device_matrix<float>>& graphs, std::vector<result>& distances) {
  return apsp::floyd_warshall(apsp::cuda_tiled, graphs, distances).empty();
}
