// SPDX-License-Identifier: BSL-1.0
// One vertex in place of a list of sources.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <vector>

#ifdef APSP_TEST_RIGHT
using ends = std::vector<int>;
#else
using ends = int;
#endif

bool solve(const apsp::matrix<int>& graph, const ends& sources) {
  return bool(apsp::tight_predecessors(apsp::seq, graph, sources,
                                       [](std::size_t, std::size_t, const auto&, const auto&) {}));
}
