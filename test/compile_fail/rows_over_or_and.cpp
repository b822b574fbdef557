// SPDX-License-Identifier: BSL-1.0
// Rows over or_and, which only another algorithm supports.
#include <apsp/apsp.hpp>
#include <vector>

#ifdef APSP_TEST_RIGHT
using semiring = apsp::max_min<float>;
#else
using semiring = apsp::or_and;
#endif

bool solve(const apsp::matrix<float>& graph, const std::vector<int>& sources) {
  const auto ignore = [](std::size_t, const auto&) {};
  return bool(apsp::for_each_row(apsp::seq, graph, sources, ignore, semiring{}));
}
