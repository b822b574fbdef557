// SPDX-License-Identifier: BSL-1.0
// Lists of a struct in place of a graph.
#include <apsp/apsp.hpp>
#include <vector>

struct road {
  int to;
  float km;
};

bool solve(const std::vector<std::vector<road>>& roads, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  const apsp::adjacency_lists_view graph(roads, &road::to, &road::km);
#else
  const auto& graph = roads;
#endif
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
}
