// SPDX-License-Identifier: BSL-1.0
// A view of temporary arrays.
#include <apsp/apsp.hpp>
#include <vector>

std::vector<int> offsets();
std::vector<int> targets();
std::vector<float> weights();

bool solve(apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  const auto o = offsets();
  const auto t = targets();
  const auto w = weights();
  const apsp::csr_view graph(o, t, w);
#else
  const apsp::csr_view graph(offsets(), targets(), weights());
#endif
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
}
