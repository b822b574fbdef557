// SPDX-License-Identifier: BSL-1.0
// Amounts of a type that does not tell how many columns there are.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using rows = std::vector<std::vector<double>>;
#else
using rows = double**;
#endif

bool solve(const apsp::matrix<float>& graph, const rows& amounts, apsp::matrix<double>& sums) {
  return bool(apsp::accessibility(apsp::seq, graph, amounts, apsp::within(30), sums));
}
