// SPDX-License-Identifier: BSL-1.0
// A graph without weights.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           std::vector<double>& sums) {
  const apsp::csr_view graph(offsets, targets);
#ifdef APSP_TEST_RIGHT
  return bool(apsp::accessibility(apsp::seq, apsp::unweighted(graph), sums, apsp::within(3), sums));
#else
  return bool(apsp::accessibility(apsp::seq, graph, sums, apsp::within(3), sums));
#endif
}
