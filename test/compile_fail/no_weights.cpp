// SPDX-License-Identifier: BSL-1.0
// A graph without weights.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           apsp::matrix<int>& distances) {
  const apsp::csr_view graph(offsets, targets);
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::seq, apsp::unweighted(graph), distances));
#else
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
#endif
}
