// SPDX-License-Identifier: BSL-1.0
// An mdspan in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <cstddef>

struct device_accessor {
  static constexpr bool is_host_accessible = false;
};
struct device_mdspan {
  using accessor_type = device_accessor;
  using value_type = float;
  static constexpr std::size_t rank() { return 2; }
  float* data_handle() const;
  std::size_t extent(std::size_t) const;
  std::size_t stride(std::size_t) const;
  float& operator()(std::size_t, std::size_t) const;
};

bool solve(const apsp::matrix<float>& graph, device_mdspan distances) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::cuda_tiled, graph, distances));
#else
  return bool(apsp::floyd_warshall(apsp::omp, graph, distances));
#endif
}
