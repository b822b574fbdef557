// SPDX-License-Identifier: BSL-1.0
// The graph before the policy.
#include <apsp/apsp.hpp>

bool solve(const apsp::matrix<float>& graph, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
#else
  return bool(apsp::floyd_warshall(graph, apsp::seq, distances));
#endif
}
