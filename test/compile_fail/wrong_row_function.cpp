// SPDX-License-Identifier: BSL-1.0
// A function for rows of another type than the distances.
#include <apsp/apsp.hpp>
#include <span>
#include <vector>

#ifdef APSP_TEST_RIGHT
using distance = int;
#else
using distance = double;
#endif

bool solve(const apsp::matrix<int>& graph, const std::vector<int>& sources) {
  return bool(apsp::for_each_row(apsp::seq, graph, sources,
                                 [](std::size_t, std::size_t, std::span<const distance>) {}));
}
