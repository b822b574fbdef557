// SPDX-License-Identifier: BSL-1.0
// A range of a struct in place of a graph.
#include <apsp/apsp.hpp>
#include <vector>

struct road {
  int from;
  int to;
  float km;
};

bool solve(const std::vector<road>& roads, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  const auto graph = apsp::edges(distances.rows(), roads, &road::from, &road::to, &road::km);
#else
  const auto& graph = roads;
#endif
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
}
