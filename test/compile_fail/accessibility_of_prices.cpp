// SPDX-License-Identifier: BSL-1.0
// Sums of amounts by distances of a user-defined type.
#include <apsp/apsp.hpp>
#include <vector>
#include "../common/price.hpp"

#ifdef APSP_TEST_RIGHT
using weight = float;
#else
using weight = apsp_test::price;
#endif

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           const std::vector<weight>& weights, std::vector<double>& sums) {
  return bool(apsp::accessibility(apsp::seq, apsp::csr_view(offsets, targets, weights), sums,
                                  apsp::within(30), sums));
}
