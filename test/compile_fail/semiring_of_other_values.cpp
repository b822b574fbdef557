// SPDX-License-Identifier: BSL-1.0
// Distances whose type is not the value type of the semiring.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using semiring = apsp::max_min<double>;
#else
using semiring = apsp::max_min<float>;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& sources,
           apsp::matrix<double>& distances) {
  return bool(apsp::bellman_ford(apsp::cuda_tiled, graph, sources, distances, semiring{}));
}
