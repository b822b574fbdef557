// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Grid-stride loops over any number of entries.
namespace apsp::inline v1::detail::cuda {

__device__ __forceinline__ std::size_t first_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::size_t index_stride() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

template <class T>
__global__ void fill_kernel(T* values, std::size_t size, T value) {
  for (std::size_t i = first_index(); i < size; i += index_stride()) values[i] = value;
}

}  // namespace apsp::inline v1::detail::cuda
