// SPDX-License-Identifier: BSL-1.0
// A result that is not a matrix.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <vector>

bool solve(const apsp::matrix<float>& graph, [[maybe_unused]] std::size_t n,
           std::vector<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::johnson(apsp::seq, graph, apsp::matrix_view(distances.data(), n, n)));
#else
  return bool(apsp::johnson(apsp::seq, graph, distances));
#endif
}
