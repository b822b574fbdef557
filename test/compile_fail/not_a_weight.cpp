// SPDX-License-Identifier: BSL-1.0
// A second argument of `weighted` that does not specify a weight.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           [[maybe_unused]] const std::vector<int>& kilometres, apsp::matrix<int>& distances) {
  const apsp::csr_view graph(offsets, targets);
#ifdef APSP_TEST_RIGHT
  const auto weight = [&](const apsp::edge& e) { return kilometres[e.index]; };
#else
  const int weight = 7;
#endif
  return bool(apsp::floyd_warshall(apsp::seq, apsp::weighted(graph, weight), distances));
}
