// SPDX-License-Identifier: BSL-1.0
// The nearest sources without a list of sources.
#include <apsp/apsp.hpp>
#include <vector>

bool solve(const apsp::matrix<float>& graph, [[maybe_unused]] const std::vector<int>& sources,
           std::vector<float>& distances, std::vector<int>& nearest) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::nearest_sources(apsp::seq, graph, sources, distances, nearest));
#else
  return bool(apsp::nearest_sources(apsp::seq, graph, distances, nearest));
#endif
}
