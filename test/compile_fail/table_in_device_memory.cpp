// SPDX-License-Identifier: BSL-1.0
// A table of distances in device memory.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using table_type = apsp::matrix<float>;
#else
using table_type = apsp::device_matrix<float>;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& some, table_type& table) {
  return bool(apsp::distance_table(apsp::cuda_tiled, graph, some, some, table));
}
