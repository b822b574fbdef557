// SPDX-License-Identifier: BSL-1.0
// A table without targets.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& sources,
           apsp::matrix<float>& table) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::distance_table(apsp::seq, graph, sources, sources, table));
#else
  return bool(apsp::distance_table(apsp::seq, graph, sources, table));
#endif
}
