// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "min_plus.cuh"

namespace apsp::detail::cuda {

/// Relaxes every entry over the one pivot @p k.
///
/// Row k and column k are read while they are written. Without a negative cycle what is written is
/// what was there; with one the entries are unspecified, and the floor still keeps sums from
/// wrapping.
template <class T, bool Record>
__global__ void relax_over_pivot_kernel(T* distances, std::int32_t* predecessors, std::size_t pitch,
                                        std::size_t num_vertices, std::size_t k, T floor) {
  const std::size_t row_stride = static_cast<std::size_t>(gridDim.y) * blockDim.y;
  const std::size_t column_stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
       i < num_vertices; i += row_stride) {
    const T to_pivot = clamped(distances[i * pitch + k], floor);
    for (std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         j < num_vertices; j += column_stride) {
      const T from_pivot = clamped(distances[k * pitch + j], floor);
      T& entry = distances[i * pitch + j];
      if constexpr (Record) {
        const T sum = to_pivot + from_pivot;
        if (sum < entry) {
          entry = sum;
          predecessors[i * pitch + j] = predecessors[k * pitch + j];
        }
      } else {
        entry = min_plus<T>::relax(entry, to_pivot, from_pivot);
      }
    }
  }
}

}  // namespace apsp::detail::cuda
