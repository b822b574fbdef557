// SPDX-License-Identifier: BSL-1.0
// A function for rows of one predecessor of each vertex.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#ifdef APSP_TEST_RIGHT
using fourth = const apsp::predecessor_lists_view&;
#else
using fourth = std::span<const std::int32_t>;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& sources) {
  return bool(apsp::tight_predecessors(
      apsp::seq, graph, sources, [](std::size_t, std::size_t, std::span<const float>, fourth) {}));
}
