// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "algebra.cuh"
#include "product_operands.cuh"

// The kernels of `cuda_naive`: every operand is read from global memory.
namespace apsp::inline v1::detail::cuda {

/// Relaxes every entry over the single pivot @p k.
///
/// Row k and column k are read while they are written. Unless a cycle improves paths, the written
/// values equal the old ones. Otherwise the entries are unspecified, but the floor still prevents
/// sums from wrapping.
template <class Algebra, bool Record, class T = typename Algebra::value_type>
__global__ void relax_over_pivot_kernel(const Algebra algebra, matrix_entries<T> matrix,
                                        std::size_t num_vertices, std::size_t k, T floor) {
  T* const distances = matrix.distances;
  std::int32_t* const predecessors = matrix.predecessors;
  const std::size_t pitch = matrix.pitch;
  const std::size_t row_stride = static_cast<std::size_t>(gridDim.y) * blockDim.y;
  const std::size_t column_stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
       i < num_vertices; i += row_stride) {
    const T to_pivot = algebra.clamped(distances[i * pitch + k], floor);
    for (std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         j < num_vertices; j += column_stride) {
      const T from_pivot = algebra.clamped(distances[k * pitch + j], floor);
      T& entry = distances[i * pitch + j];
      if constexpr (Record) {
        const T through_pivot = algebra.times(to_pivot, from_pivot);
        if (algebra.improves(through_pivot, entry)) {
          entry = through_pivot;
          predecessors[i * pitch + j] = predecessors[k * pitch + j];
        }
      } else {
        entry = algebra.relax(entry, to_pivot, from_pivot);
      }
    }
  }
}

/// C = plus(C, A (x) B), one thread per entry. The operands' grid is ignored.
/// @param needed  null, or a word that is zero if there is nothing to do.
template <class Algebra, bool Record, class T = typename Algebra::value_type>
__global__ void entry_product_kernel(const Algebra algebra, const product_operands<T> operands,
                                     product_extent extent, const int* needed) {
  const auto [rows, depth, columns] = extent;
  if (needed != nullptr && *needed == 0) return;
  const std::size_t column_stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.y; i < rows; i += gridDim.y) {
    const T* const a = operands.a + i * operands.a_pitch;
    for (std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         j < columns; j += column_stride) {
      T entry = operands.c[i * operands.c_pitch + j];
      [[maybe_unused]] std::size_t best = depth;
      for (std::size_t k = 0; k < depth; ++k) {
        const T b = operands.b[k * operands.b_pitch + j];
        if constexpr (Record) {
          const T product = algebra.times(a[k], b);
          if (algebra.improves(product, entry)) {
            entry = product;
            best = k;
          }
        } else {
          entry = algebra.relax(entry, a[k], b);
        }
      }
      operands.c[i * operands.c_pitch + j] = entry;
      if constexpr (Record) {
        if (best != depth) {
          operands.predecessors_c[i * operands.c_pitch + j] =
              operands.predecessors_b[best * operands.b_pitch + j];
        }
      }
    }
  }
}

}  // namespace apsp::inline v1::detail::cuda
