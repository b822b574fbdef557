// SPDX-License-Identifier: BSL-1.0
// Distances from the nearest sources in device memory.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <vector>

#ifdef APSP_TEST_RIGHT
using row = std::vector<float>;
#else
using row = apsp::device_span<float>;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& some, row distances,
           std::vector<int>& nearest) {
  return bool(apsp::nearest_sources(apsp::cuda_tiled, graph, some, distances, nearest));
}
