// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "check.cuh"

namespace apsp::inline v1::detail::cuda {

/// Number of CUDA blocks of @p threads each for @p count elements; if the largest grid is too
/// small, kernels stride over the rest.
inline unsigned grid_size(std::size_t count, unsigned threads) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  const std::size_t needed = count / threads + (count % threads != 0 ? 1 : 0);
  return static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most));
}

/// Of the current device.
inline std::size_t num_multiprocessors() {
  int device = 0;
  APSP_CUDA_CHECK(cudaGetDevice(&device));
  int count = 0;
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::size_t>(count);
}

/// Number of CUDA blocks of @p kernel, of @p threads and @p shared_bytes of dynamic shared memory
/// each, that run concurrently on the current device.
template <class... Parameters>
std::size_t concurrent_blocks(void (*kernel)(Parameters...), unsigned threads,
                              std::size_t shared_bytes = 0) {
  int blocks = 0;
  APSP_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel, static_cast<int>(threads), shared_bytes));
  return std::max<std::size_t>(num_multiprocessors() * static_cast<std::size_t>(blocks), 1);
}

/// Lets blocks of @p kernel have as much dynamic shared memory as the current device permits;
/// returns the bytes.
template <class... Parameters>
std::size_t allow_all_shared_memory(void (*kernel)(Parameters...)) {
  int device = 0;
  APSP_CUDA_CHECK(cudaGetDevice(&device));
  int most = 0;
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  cudaFuncAttributes attributes{};
  APSP_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  most -= static_cast<int>(attributes.sharedSizeBytes);
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  return static_cast<std::size_t>(most);
}

}  // namespace apsp::inline v1::detail::cuda
