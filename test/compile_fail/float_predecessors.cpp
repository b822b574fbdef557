// SPDX-License-Identifier: BSL-1.0
// Predecessors of a type that is not integral.
#include <apsp/apsp.hpp>

#ifdef APSP_TEST_RIGHT
using vertex = int;
#else
using vertex = float;
#endif

bool solve(const apsp::matrix<float>& graph, apsp::matrix<float>& distances,
           apsp::matrix<vertex>& predecessors) {
  return bool(apsp::floyd_warshall(apsp::cuda_tiled, graph, distances, predecessors));
}
