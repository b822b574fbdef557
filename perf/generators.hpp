// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../test/common/generators.hpp"

// The graphs of the benchmarks are those of the tests.
namespace apsp_perf {

using namespace apsp_test;

/// Calls @p f(u, v, weight) for each arc; f can change a weight that it takes by reference.
template <class Graph, class F>
void for_each_arc(Graph&& g, F f) {
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      f(u, static_cast<std::size_t>(g.targets[k]), g.weights[k]);
    }
  }
}

}  // namespace apsp_perf
