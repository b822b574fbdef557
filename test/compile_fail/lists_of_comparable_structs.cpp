// SPDX-License-Identifier: BSL-1.0
// Lists of a struct that has operator==, as values of semirings have, in place of a graph.
#include <apsp/apsp.hpp>
#include <vector>

struct road {
  int to;
  float km;
  bool operator==(const road&) const = default;
};

bool solve(const std::vector<std::vector<road>>& roads, apsp::matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  const apsp::adjacency_lists_view graph(roads, &road::to, &road::km);
#else
  const auto& graph = roads;
#endif
  return bool(apsp::floyd_warshall(apsp::seq, graph, distances));
}
