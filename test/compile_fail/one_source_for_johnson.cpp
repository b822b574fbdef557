// SPDX-License-Identifier: BSL-1.0
// One source for an algorithm that takes a list.
#include <apsp/apsp.hpp>
#include <array>
#include <vector>

bool solve(const apsp::matrix<float>& graph, std::vector<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::johnson(apsp::seq, graph, std::array{0},
                            apsp::matrix_view(distances.data(), 1, distances.size())));
#else
  return bool(apsp::johnson(apsp::seq, graph, 0, distances));
#endif
}
