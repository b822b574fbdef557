// SPDX-License-Identifier: BSL-1.0
// A distance type that cannot represent the weights.
#include <apsp/apsp.hpp>

#ifdef APSP_TEST_RIGHT
using distance = double;
#else
using distance = int;
#endif

bool solve(const apsp::matrix<float>& graph, apsp::matrix<distance>& distances) {
  return bool(apsp::floyd_warshall(apsp::omp, graph, distances));
}
