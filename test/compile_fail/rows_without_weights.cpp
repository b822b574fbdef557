// SPDX-License-Identifier: BSL-1.0
// Rows of a graph without weights.
#include <apsp/apsp.hpp>
#include <span>
#include <vector>

bool solve(const std::vector<int>& offsets, const std::vector<int>& targets,
           const std::vector<int>& sources) {
  const auto nothing = [](std::size_t, std::span<const int>) {};
  const apsp::csr_view graph(offsets, targets);
#ifdef APSP_TEST_RIGHT
  return bool(apsp::for_each_row(apsp::seq, apsp::unweighted(graph), sources, nothing));
#else
  return bool(apsp::for_each_row(apsp::seq, graph, sources, nothing));
#endif
}
