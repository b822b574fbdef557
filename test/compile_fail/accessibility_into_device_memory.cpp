// SPDX-License-Identifier: BSL-1.0
// Sums of amounts in device memory.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using sums_type = apsp::matrix<double>;
#else
using sums_type = apsp::device_matrix<double>;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& amounts, sums_type& sums) {
  return bool(apsp::accessibility(apsp::cuda_tiled, graph, amounts, apsp::within({1, 2}), sums));
}
