// SPDX-License-Identifier: BSL-1.0
// A program with types of CCCL 3.2 or later: test/consumer/check_cccl.sh compiles it, and runs it
// where there is a device.
#include <cuda_runtime_api.h>
#include <thrust/system/cuda/execution_policy.h>

#include <apsp/apsp.hpp>
#include <apsp/cccl.cuh>
#include <cstddef>
#include <cuda/std/execution>
#include <iostream>
#include <new>
#include <type_traits>
#include <vector>

namespace {

/// A memory resource that counts.
struct counting_resource {
  int* num_allocations;

  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t) {
    ++*num_allocations;
    void* memory = nullptr;
    if (cudaMallocAsync(&memory, bytes, stream.get()) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void deallocate(cuda::stream_ref stream, void* memory, std::size_t, std::size_t) noexcept {
    cudaFreeAsync(memory, stream.get());
  }
  void* allocate_sync(std::size_t bytes, std::size_t) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void deallocate_sync(void* memory, std::size_t, std::size_t) noexcept { cudaFree(memory); }
  bool operator==(const counting_resource&) const = default;
  friend void get_property(const counting_resource&, cuda::mr::device_accessible) noexcept {}
};

using any_resource = cuda::mr::any_resource<cuda::mr::device_accessible>;
using resource_ref = cuda::mr::resource_ref<cuda::mr::device_accessible>;
static_assert(cuda::mr::resource<counting_resource>);
static_assert(apsp::device_memory_resource<counting_resource>);
static_assert(apsp::device_memory_resource<any_resource>);
static_assert(apsp::device_memory_resource<resource_ref>);

int check(bool is_right, const char* what) {
  if (!is_right) std::cerr << "wrong: " << what << '\n';
  return is_right ? 0 : 1;
}

}  // namespace

int main() {
  const std::vector<int> from{0, 1}, to{1, 2};
  const std::vector<float> lengths{3, 4};
  const apsp::edge_list_view g(3, from, to, lengths);

  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::cout << "skipped: there is no device\n";
    return 77;
  }
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  int num_allocations = 0;
  any_resource memory(counting_resource{&num_allocations});
  int faults = 0;

  // An environment, as algorithms of CUB take it, and a matrix of CCCL.
  namespace execution = cuda::std::execution;
  const execution::env env{execution::prop{cuda::get_stream, cuda::stream_ref{stream}},
                           execution::prop{cuda::mr::get_memory_resource, resource_ref(memory)}};
  apsp::cccl_environment own(env);
  const auto policy = own.policy(apsp::cuda_tiled.required());
  faults += check(policy.stream() == stream, "the stream of an environment");
  apsp::device_matrix<float> distances(3, 3);
  const cuda::device_mdspan<float, cuda::std::dims<2>> view(distances.data(), 3, 3);
  faults += check(static_cast<bool>(apsp::floyd_warshall(policy, g, view)), "the call");
  cudaStreamSynchronize(stream);
  faults += check(distances.to_host()[0][2] == 7, "the distance");
  faults += check(num_allocations > 0, "the number of allocations");

  // An execution policy of Thrust, which has a stream alone.
  const auto of_thrust = thrust::cuda::par_nosync.on(stream);
  apsp::cccl_environment other(of_thrust);
  faults += check(other.policy(apsp::cuda_naive).stream() == stream, "the stream of Thrust");

  cudaStreamDestroy(stream);
  if (faults == 0) std::cout << "ran on a device\n";
  return faults;
}
