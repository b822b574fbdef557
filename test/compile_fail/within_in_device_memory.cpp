// SPDX-License-Identifier: BSL-1.0
// Distances within a cutoff of a graph in device memory.
#include <apsp/apsp.hpp>

#ifdef APSP_TEST_RIGHT
using graph_type = apsp::matrix<float>;
#else
using graph_type = apsp::device_matrix<float>;
#endif

bool solve(const graph_type& graph) {
  return bool(apsp::distances_within(apsp::cuda_tiled, graph, 5));
}
