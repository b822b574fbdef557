// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../device/architecture.hpp"
#include "../../device/check.cuh"
#include "algebra.cuh"
#include "naive.cuh"
#include "product_tile.cuh"
#include "tile_shape.hpp"

// Launches of the product kernels, shared by all solvers.
namespace apsp::inline v1::detail::cuda {

struct naive_tuning {
  unsigned threads_x = 256;
  /// Rows that one thread of the pivot kernel takes, so that it reads row k less often.
  unsigned rows_per_thread = 8;
  /// Pivots between two checks of the monitor.
  std::size_t pivots_per_step = 16;
  /// The largest second dimension of a grid.
  std::size_t max_grid_y = 65535;
};
inline constexpr naive_tuning naive{};

/// The dynamic shared memory of the kernel that runs on the current device: its depth depends on
/// the architecture that it was compiled for.
template <class Algebra, class Tuning, bool Clamp>
std::size_t product_shared_bytes() {
  constexpr std::size_t value_bytes = sizeof(typename Algebra::value_type);
  constexpr product_shape shape = Tuning::shape.product;
  constexpr product_shape shallow = with_little_shared_memory(shape, value_bytes);
  static_assert(shallow.depth * value_bytes >= vector_bytes);
  if constexpr (shallow.depth == shape.depth) {
    return shared_bytes(shape, value_bytes);
  } else {
    cudaFuncAttributes attributes{};
    APSP_CUDA_CHECK(cudaFuncGetAttributes(&attributes,
                                          product_kernel<Algebra, Tuning, Tuning::records, Clamp>));
    return shared_bytes(has_little_shared_memory(attributes.ptxVersion) ? shallow : shape,
                        value_bytes);
  }
}

/// Enqueues one or two products. @p extent, the number of columns of A, is a multiple of the depth
/// of the product's shape.
/// @param needed  null, or a word in device memory that is zero if there is nothing to do.
template <class Tuning, bool Clamp, class Algebra>
void launch_products(const Algebra& algebra,
                     const product_pair<typename Algebra::value_type>& products, int extent,
                     typename Algebra::value_type floor, cudaStream_t stream,
                     const int* needed = nullptr) {
  const int blocks = products.first.grid.size() + products.second.grid.size();
  if (blocks == 0) return;
  const auto kernel = product_kernel<Algebra, Tuning, Tuning::records, Clamp>;
  const std::size_t bytes = product_shared_bytes<Algebra, Tuning, Clamp>();
  // Before every launch, because each translation unit has kernels of its own and the linker
  // chooses that of this function: a function that does so alone could be another unit's.
  allow_shared_memory(kernel, bytes);
  launch("product_kernel",
         {static_cast<unsigned>(blocks), threads_per_block(Tuning::shape.product), stream, bytes},
         kernel, algebra, products, extent, floor, needed);
}

/// The grid of all tiles of a C of @p rows x @p columns, multiples of the tile of the product's
/// shape.
template <class Tuning>
tile_grid whole_grid(std::size_t rows, std::size_t columns) {
  constexpr product_shape shape = Tuning::shape.product;
  return {lines_from(0, static_cast<int>(rows / shape.rows)),
          lines_from(0, static_cast<int>(columns / shape.columns))};
}

/// The grid of the tiles on and above the diagonal of a C of @p extent rows and columns.
template <class Tuning>
tile_grid upper_grid(std::size_t extent) {
  constexpr product_shape shape = Tuning::shape.product;
  constexpr int tile = tile_size(Tuning::shape);
  return triangle_of(lines_from(0, static_cast<int>(extent / tile)), tile / shape.rows,
                     tile / shape.columns);
}

/// Enqueues the product with one thread per entry.
template <bool Record, class Algebra>
void launch_entry_product(const Algebra& algebra,
                          const product_operands<typename Algebra::value_type>& operands,
                          const product_extent& extent, cudaStream_t stream,
                          const int* needed = nullptr) {
  const std::size_t across = (extent.columns + naive.threads_x - 1) / naive.threads_x;
  const dim3 blocks(static_cast<unsigned>(across),
                    static_cast<unsigned>(std::min(extent.rows, naive.max_grid_y)));
  launch("entry_product_kernel", {blocks, naive.threads_x, stream},
         entry_product_kernel<Algebra, Record>, algebra, operands, extent, needed);
}

}  // namespace apsp::inline v1::detail::cuda
