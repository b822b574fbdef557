// SPDX-License-Identifier: BSL-1.0
// The distances before the graph.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           const std::vector<float>& weights, apsp::matrix<float>& distances) {
  const apsp::csr_view graph(offsets, targets, weights);
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
#else
  return bool(apsp::floyd_warshall(apsp::seq, distances, graph));
#endif
}
