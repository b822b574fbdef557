// SPDX-License-Identifier: BSL-1.0
// A constant result matrix.
#include <apsp/apsp.hpp>

#ifdef APSP_TEST_RIGHT
bool solve(const apsp::matrix<float>& graph, apsp::matrix<float>& distances) {
#else
bool solve(const apsp::matrix<float>& graph, const apsp::matrix<float>& distances) {
#endif
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
}
