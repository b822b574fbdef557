// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../../device/architecture.hpp"
#include "../../device/warp.hpp"
#include "product_operands.cuh"
#include "tile_shape.hpp"

namespace apsp::inline v1::detail::cuda {

/// How a tile of C and the stages of its operands are laid out over threads and shared memory.
/// @p Tuning has a `tile_shape` named `shape`.
template <class T, class Tuning>
struct product_layout {
  using value_type = T;
  using vector = vector_of<T>;

  // Host code needs no other member than the rows and the columns, which are always the same.
  static constexpr product_shape shape =
      has_little_shared_memory(compiled_architecture)
          ? with_little_shared_memory(Tuning::shape.product, sizeof(T))
          : Tuning::shape.product;
  static constexpr int vector_size = vector::size;
  static constexpr int threads = threads_per_block(shape);
  static constexpr int a_pitch = shape.depth + vector_size;
  static constexpr int b_pitch = shape.columns;
  static constexpr int a_size = shape.rows * a_pitch;
  static constexpr int b_size = shape.depth * b_pitch;
  /// Where the stages of B begin in shared memory, after those of A.
  static constexpr int b_begin = shape.stages * a_size;
  static_assert(shared_bytes(shape, sizeof(T)) ==
                static_cast<std::size_t>(shape.stages) * (a_size + b_size) * sizeof(T));

  // The entries of a thread: every `warp_rows`-th row of its warp, and every `warp_columns`-th
  // vector.
  static constexpr int rows = shape.rows_per_thread;
  static constexpr int columns = shape.columns_per_thread;
  static constexpr int warps_across = shape.columns / (warp_columns * columns);
  static constexpr int column_vectors = columns / vector_size;
  static constexpr int column_stride = warp_columns * vector_size;

  // The distribution of the copies of a stage over the threads.
  static constexpr int a_vectors_per_row = shape.depth / vector_size;
  static constexpr int b_vectors_per_row = shape.columns / vector_size;
  static constexpr int a_rows_at_once = threads / a_vectors_per_row;
  static constexpr int b_rows_at_once = threads / b_vectors_per_row;

  static_assert(columns % vector_size == 0 && shape.depth % vector_size == 0);
  static_assert(shape.columns % (warp_columns * columns) == 0);
  static_assert(shape.rows % (warp_rows * rows) == 0);
  static_assert(threads % a_vectors_per_row == 0 && threads % b_vectors_per_row == 0);
  static_assert(shape.rows % a_rows_at_once == 0 && shape.depth % b_rows_at_once == 0);
  static_assert(shape.stages >= 2);
};

/// The stages of the operands in shared memory.
template <class T>
struct operand_stages {
  T* a;
  T* b;
};

/// The first entry of a thread, within its tile of C.
struct tile_position {
  int row;
  int column;
};

template <class Layout>
__device__ __forceinline__ tile_position position_of_thread(int thread) {
  const int warp = thread / warp_size;
  const int lane = thread % warp_size;
  return {(warp / Layout::warps_across) * (warp_rows * Layout::rows) + lane / warp_columns,
          (warp % Layout::warps_across) * (warp_columns * Layout::columns) +
              (lane % warp_columns) * Layout::vector_size};
}

/// The entries of C that a thread relaxes, in registers.
template <class Layout>
struct thread_entries {
  using T = typename Layout::value_type;
  using vector = typename Layout::vector;

  T values[Layout::rows][Layout::columns];

  __device__ __forceinline__ void fill(T value) {
#pragma unroll
    for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
      for (int j = 0; j < Layout::columns; ++j) values[i][j] = value;
    }
  }

  /// @param from  the first entry of the thread.
  __device__ __forceinline__ void load(const T* from, std::size_t pitch) {
#pragma unroll
    for (int i = 0; i < Layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < Layout::column_vectors; ++v) {
        const vector loaded = *reinterpret_cast<const vector*>(from + v * Layout::column_stride);
#pragma unroll
        for (int e = 0; e < Layout::vector_size; ++e) {
          values[i][v * Layout::vector_size + e] = loaded.values[e];
        }
      }
      from += warp_rows * pitch;
    }
  }
};

}  // namespace apsp::inline v1::detail::cuda
