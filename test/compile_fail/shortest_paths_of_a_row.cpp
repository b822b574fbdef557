// SPDX-License-Identifier: BSL-1.0
// Paths from a row with one predecessor of each vertex.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using lists = apsp::predecessor_lists_view;
#else
using lists = std::vector<int>;
#endif

bool is_reached(const lists& predecessors) {
  const auto paths = apsp::shortest_paths(predecessors, 3);
  return paths.begin() != paths.end();
}
