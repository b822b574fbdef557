// SPDX-License-Identifier: BSL-1.0
// A decay that is called with one distance in place of many.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <span>
#include <vector>

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& amounts,
           std::vector<double>& sums) {
#ifdef APSP_TEST_RIGHT
  const auto inverse = [](std::span<const float> distances, std::span<double> shares) {
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = 1 / (1 + double{distances[i]});
  };
#else
  const auto inverse = [](float distance) { return 1 / (1 + double{distance}); };
#endif
  return bool(apsp::accessibility(apsp::seq, graph, amounts, inverse, sums));
}
