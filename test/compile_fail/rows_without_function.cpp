// SPDX-License-Identifier: BSL-1.0
// Rows for nothing.
#include <apsp/apsp.hpp>
#include <span>
#include <vector>

bool solve(const apsp::matrix<int>& graph, const std::vector<int>& sources) {
#ifdef APSP_TEST_RIGHT
  return bool(
      apsp::for_each_row(apsp::seq, graph, sources, [](std::size_t, std::span<const int>) {}));
#else
  return bool(apsp::for_each_row(apsp::seq, graph, sources));
#endif
}
