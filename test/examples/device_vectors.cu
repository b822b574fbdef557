// SPDX-License-Identifier: BSL-1.0
// Distances of a graph whose arrays are Thrust vectors on the device. The result stays on the
// device.
#include <cuda_runtime.h>

#include <thrust/count.h>
#include <thrust/device_vector.h>

#include <apsp/floyd_warshall.hpp>
#include <apsp/thrust.hpp>
#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::printf("skipped: there is no CUDA device\n");
    return 77;
  }
  // A ring of n vertices in both directions: the farthest vertex is n / 2 arcs away.
  constexpr std::size_t n = 1000;
  std::vector<int> from, to;
  for (int v = 0; v < static_cast<int>(n); ++v) {
    const int next = (v + 1) % static_cast<int>(n);
    from.insert(from.end(), {v, next});
    to.insert(to.end(), {next, v});
  }
  const thrust::device_vector<int> sources = from;
  const thrust::device_vector<int> targets = to;
  const thrust::device_vector<float> weights(from.size(), 1.0F);

  thrust::device_vector<float> distances(n * n);
  const apsp::result done = apsp::floyd_warshall(
      apsp::cuda_tiled, apsp::device_edge_list_view(n, sources, targets, weights),
      apsp::device_matrix_view(distances, n, n));
  if (!done) return 1;

  // Thrust uses the default stream, like the call, so no synchronisation is needed.
  const auto farthest = thrust::count(distances.begin(), distances.end(), n / 2.0F);
  std::printf("%zu pairs are %zu apart\n", static_cast<std::size_t>(farthest), n / 2);
  return farthest == n ? 0 : 1;
}
