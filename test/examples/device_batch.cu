// SPDX-License-Identifier: BSL-1.0
// Distances of many graphs of different sizes in one padded array on the device, in place.
#include <cuda_runtime.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/thrust.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::printf("skipped: there is no CUDA device\n");
    return 77;
  }
  // Graph i is a ring of i + 2 vertices in one direction.
  constexpr std::size_t count = 100;
  constexpr std::size_t extent = count + 1;
  std::vector<std::size_t> sizes;
  thrust::host_vector<float> weights(count * extent * extent, apsp::unreachable<float>);
  for (std::size_t i = 0; i < count; ++i) {
    sizes.push_back(i + 2);
    for (std::size_t v = 0; v < sizes[i]; ++v) {
      weights[(i * extent + v) * extent + (v + 1) % sizes[i]] = 1;
    }
  }
  thrust::device_vector<float> array = weights;

  std::vector<apsp::device_matrix_view<float>> slices;
  for (std::size_t i = 0; i < count; ++i) {
    float* const first = array.data().get() + i * extent * extent;
    slices.emplace_back(first, sizes[i], sizes[i], extent);
  }
  for (const apsp::result& done : apsp::floyd_warshall(apsp::cuda_tiled, slices, slices)) {
    if (!done) return 1;
  }

  const thrust::host_vector<float> distances = array;
  for (std::size_t i = 0; i < count; ++i) {
    // From vertex 1 back to vertex 0.
    if (distances[(i * extent + 1) * extent] != static_cast<float>(sizes[i] - 1)) return 1;
  }
  std::printf("%zu graphs are solved\n", count);
}
