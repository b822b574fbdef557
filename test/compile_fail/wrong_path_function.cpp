// SPDX-License-Identifier: BSL-1.0
// A function for paths that takes rows of distances.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#ifdef APSP_TEST_RIGHT
using second = const int&;
#else
using second = std::span<const int>;
#endif

bool solve(const apsp::matrix<int>& graph, const std::vector<int>& ends) {
  return bool(apsp::for_each_path(apsp::seq, graph, ends, ends,
                                  [](std::size_t, second, std::span<const std::int32_t>) {}));
}
