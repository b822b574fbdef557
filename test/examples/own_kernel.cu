// SPDX-License-Identifier: BSL-1.0
// A kernel of the program reads distances that stay on the device, after the call on its stream.
// The call takes its memory from the program.
#include <cuda_runtime.h>

#include <apsp/device_matrix.hpp>
#include <apsp/edge_list.hpp>
#include <apsp/floyd_warshall.hpp>
#include <cstddef>
#include <cstdio>
#include <new>
#include <vector>

// Counts the vertices within the limit of each source: a block for each row.
__global__ void count_within(const float* distances, std::size_t n, float limit, int* counts) {
  const float* const row = distances + blockIdx.x * n;
  int count = 0;
  for (std::size_t v = threadIdx.x; v < n; v += blockDim.x) count += row[v] <= limit;
  atomicAdd(&counts[blockIdx.x], count);
}

// The memory of the program, here of a pool of its own.
class pool_resource {
 public:
  pool_resource() {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    if (cudaMemPoolCreate(&pool_, &properties) != cudaSuccess) throw std::bad_alloc();
  }
  pool_resource(const pool_resource&) = delete;
  ~pool_resource() { cudaMemPoolDestroy(pool_); }

  void* allocate(cudaStream_t stream, std::size_t bytes, std::size_t /* alignment */) {
    void* memory = nullptr;
    if (cudaMallocFromPoolAsync(&memory, bytes, pool_, stream) != cudaSuccess) {
      throw std::bad_alloc();
    }
    return memory;
  }
  void deallocate(cudaStream_t stream, void* memory, std::size_t, std::size_t) noexcept {
    cudaFreeAsync(memory, stream);
  }

 private:
  cudaMemPool_t pool_ = nullptr;
};

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::printf("skipped: there is no CUDA device\n");
    return 77;
  }
  // A ring of n vertices in one direction.
  constexpr std::size_t n = 1000;
  std::vector<int> from, to;
  for (int v = 0; v < static_cast<int>(n); ++v) {
    from.push_back(v);
    to.push_back((v + 1) % static_cast<int>(n));
  }
  const std::vector<float> km(n, 1.5F);

  pool_resource memory;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  const auto policy = apsp::cuda_tiled.on(stream).memory(memory);

  apsp::device_matrix<float> distances(n);
  const apsp::result done =
      apsp::floyd_warshall(policy, apsp::edge_list_view(n, from, to, km), distances);
  if (!done) return 1;

  int* counts = nullptr;
  cudaMallocAsync(&counts, n * sizeof(int), stream);
  cudaMemsetAsync(counts, 0, n * sizeof(int), stream);
  count_within<<<n, 128, 0, stream>>>(distances.data(), n, 30.0F, counts);

  std::vector<int> within(n);
  cudaMemcpyAsync(within.data(), counts, n * sizeof(int), cudaMemcpyDefault, stream);
  cudaFreeAsync(counts, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
  cudaStreamDestroy(stream);

  std::printf("%d vertices are within 30 km of vertex 0\n", within[0]);
  return within[0] == 21 && within[n - 1] == 21 ? 0 : 1;
}
