// SPDX-License-Identifier: BSL-1.0
// Johnson's algorithm over a semiring without sums.
#include <apsp/apsp.hpp>

#ifdef APSP_TEST_RIGHT
using semiring = apsp::min_plus<float>;
#else
using semiring = apsp::max_min<float>;
#endif

bool solve(const apsp::matrix<float>& graph, apsp::matrix<float>& distances,
           apsp::matrix<int>& predecessors) {
  return bool(apsp::johnson(apsp::seq, graph, distances, predecessors, semiring{}));
}
