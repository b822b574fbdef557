// SPDX-License-Identifier: BSL-1.0
// Sums of amounts by distances in a graph in device memory.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using graph_type = apsp::matrix<float>;
#else
using graph_type = apsp::device_matrix<float>;
#endif

bool solve(const graph_type& graph, const std::vector<int>& amounts, std::vector<double>& sums) {
  return bool(apsp::accessibility(apsp::cuda_tiled, graph, amounts, apsp::within(30), sums));
}
