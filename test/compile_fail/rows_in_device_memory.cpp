// SPDX-License-Identifier: BSL-1.0
// Rows of a graph in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>
#include <cstddef>
#include <span>
#include <vector>

bool solve(const apsp::device_matrix<float>& graph, const std::vector<int>& sources) {
  const auto ignore = [](std::size_t, std::span<const float>) {};
#ifdef APSP_TEST_RIGHT
  return bool(apsp::for_each_row(apsp::cuda_tiled, graph, sources, ignore));
#else
  return bool(apsp::for_each_row(apsp::omp, graph, sources, ignore));
#endif
}
