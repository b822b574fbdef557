// SPDX-License-Identifier: BSL-1.0
// Breadth-first searches in many graphs in device memory.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using matrix = apsp::matrix<float>;
#else
using matrix = apsp::device_matrix<float>;
#endif

bool solve(std::vector<matrix>& graphs) {
  return apsp::breadth_first_search(apsp::cuda_tiled, graphs, graphs).empty();
}
