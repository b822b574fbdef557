// SPDX-License-Identifier: BSL-1.0
// An execution policy of the standard library.
#include <apsp/apsp.hpp>
#include <execution>

bool solve(const apsp::matrix<float>& graph, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::omp, graph, distances));
#else
  return bool(apsp::floyd_warshall(std::execution::par, graph, distances));
#endif
}
