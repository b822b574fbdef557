// SPDX-License-Identifier: BSL-1.0
// Sums of amounts as integers.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using sum = float;
#else
using sum = int;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& amounts,
           std::vector<sum>& sums) {
  return bool(apsp::accessibility(apsp::seq, graph, amounts, apsp::within(30), sums));
}
