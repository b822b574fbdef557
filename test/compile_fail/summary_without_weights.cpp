// SPDX-License-Identifier: BSL-1.0
// A graph without weights.
#include <apsp/apsp.hpp>
#include <vector>

void solve(const std::vector<int>& offsets, const std::vector<int>& targets) {
  const apsp::csr_view graph(offsets, targets);
#ifdef APSP_TEST_RIGHT
  static_cast<void>(apsp::summarize_paths(apsp::seq, apsp::unweighted(graph)));
#else
  static_cast<void>(apsp::summarize_paths(apsp::seq, graph));
#endif
}
