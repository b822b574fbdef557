// SPDX-License-Identifier: BSL-1.0
// Betweenness as integers.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using score = float;
#else
using score = int;
#endif

bool solve(const apsp::matrix<float>& graph, std::vector<score>& scores) {
  return bool(apsp::betweenness(apsp::seq, graph, scores));
}
