// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "min_plus.cuh"
#include "min_plus_tile.cuh"
#include "tile_shape.hpp"

namespace apsp::detail::cuda {

/// Row k and column k of the matrix as they were when vertex k was the pivot, for every k of one
/// pivot tile. With them the remainder is relaxed in the order of the untiled algorithm, which
/// keeps the predecessors of a row a tree even where cycles of weight zero make many paths equally
/// short.
template <class T>
struct pivot_history {
  T* rows;                         ///< tile_size x extent
  std::int32_t* row_predecessors;  ///< likewise
  T* columns;                      ///< extent x tile_size
};

/// Which tile of the pivot's cross a CUDA block relaxes.
enum class cross_part { pivot_tile, row_panel, column_panel };

template <class T, class Tuning>
struct cross_tile_storage {
  static constexpr int tile_size = Tuning::shape.pivot.tile_size;
  // Two of each: while one step's are read, the next step's are written.
  T row[2][tile_size];
  T column[2][tile_size];
  std::int32_t row_predecessors[2][tile_size];
};

/// Relaxes one tile over the pivots of a pivot tile, one after the other, with the tile in
/// registers. Without @p Record only the pivot tile is done this way, and no history is kept.
template <class T, class Tuning, cross_part Part, bool Record>
__device__ __forceinline__ void relax_in_order(T* distances, std::int32_t* predecessors,
                                               std::size_t pitch, std::size_t pivot_begin,
                                               std::size_t tile_begin, pivot_history<T> history,
                                               T floor) {
  constexpr pivot_shape shape = Tuning::shape.pivot;
  constexpr int rows = shape.rows_per_thread;
  constexpr int columns = shape.columns_per_thread;
  constexpr int threads_across = shape.tile_size / columns;
  constexpr std::size_t history_pitch = shape.tile_size;
  constexpr bool owns_row = Part != cross_part::column_panel;
  constexpr bool owns_column = Part != cross_part::row_panel;
  static_assert(rows == columns, "the steps are unrolled by the rows and columns of one thread");

  __shared__ cross_tile_storage<T, Tuning> shared;

  const int thread_column = static_cast<int>(threadIdx.x) % threads_across;
  const int thread_row = static_cast<int>(threadIdx.x) / threads_across;
  const int column = thread_column * columns;
  const int row = thread_row * rows;
  const std::size_t first_row =
      (owns_row ? pivot_begin : tile_begin) + static_cast<std::size_t>(row);
  const std::size_t first_column =
      (owns_column ? pivot_begin : tile_begin) + static_cast<std::size_t>(column);
  T* const tile = distances + first_row * pitch + first_column;
  std::int32_t* const tile_predecessors =
      Record ? predecessors + first_row * pitch + first_column : nullptr;

  T entries[rows][columns];
  [[maybe_unused]] std::int32_t last_hops[rows][columns];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const std::size_t offset = static_cast<std::size_t>(i) * pitch + static_cast<std::size_t>(j);
      entries[i][j] = tile[offset];
      if constexpr (Record) last_hops[i][j] = tile_predecessors[offset];
    }
  }

  for (int first_k = 0; first_k < shape.tile_size; first_k += rows) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int k = first_k + r;
      const int buffer = r % 2;
      static_assert(rows % 2 == 0, "the two buffers alternate");
      if constexpr (owns_row) {
        if (thread_row == first_k / rows) {
#pragma unroll
          for (int j = 0; j < columns; ++j) {
            const T value = clamped(entries[r][j], floor);
            shared.row[buffer][column + j] = value;
            if constexpr (Record) {
              shared.row_predecessors[buffer][column + j] = last_hops[r][j];
              const std::size_t offset =
                  static_cast<std::size_t>(k) * pitch + first_column + static_cast<std::size_t>(j);
              history.rows[offset] = value;
              history.row_predecessors[offset] = last_hops[r][j];
            }
          }
        }
      }
      if constexpr (owns_column) {
        if (thread_column == first_k / columns) {
#pragma unroll
          for (int i = 0; i < rows; ++i) {
            const T value = clamped(entries[i][r], floor);
            shared.column[buffer][row + i] = value;
            if constexpr (Record) {
              history.columns[(first_row + static_cast<std::size_t>(i)) * history_pitch +
                              static_cast<std::size_t>(k)] = value;
            }
          }
        }
      }
      __syncthreads();

      T row_values[columns];
      [[maybe_unused]] std::int32_t row_hops[columns];
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        if constexpr (owns_row) {
          row_values[j] = shared.row[buffer][column + j];
          if constexpr (Record) row_hops[j] = shared.row_predecessors[buffer][column + j];
        } else {
          const std::size_t offset =
              static_cast<std::size_t>(k) * pitch + first_column + static_cast<std::size_t>(j);
          row_values[j] = history.rows[offset];
          row_hops[j] = history.row_predecessors[offset];
        }
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        T column_value;
        if constexpr (owns_column) {
          column_value = shared.column[buffer][row + i];
        } else {
          column_value = history.columns[(first_row + static_cast<std::size_t>(i)) * history_pitch +
                                         static_cast<std::size_t>(k)];
        }
#pragma unroll
        for (int j = 0; j < columns; ++j) {
          if constexpr (Record) {
            const T sum = column_value + row_values[j];
            const bool less = sum < entries[i][j];
            entries[i][j] = less ? sum : entries[i][j];
            last_hops[i][j] = less ? row_hops[j] : last_hops[i][j];
          } else {
            entries[i][j] = min_plus<T>::relax(entries[i][j], column_value, row_values[j]);
          }
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const std::size_t offset = static_cast<std::size_t>(i) * pitch + static_cast<std::size_t>(j);
      tile[offset] = clamped(entries[i][j], floor);
      if constexpr (Record) tile_predecessors[offset] = last_hops[i][j];
    }
  }
}

/// Closes the pivot tile at @p pivot_begin. One CUDA block.
template <class T, class Tuning, bool Record>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape.pivot))
    pivot_tile_kernel(T* distances, std::int32_t* predecessors, std::size_t pitch,
                      std::size_t pivot_begin, pivot_history<T> history, T floor) {
  relax_in_order<T, Tuning, cross_part::pivot_tile, Record>(
      distances, predecessors, pitch, pivot_begin, pivot_begin, history, floor);
}

/// Relaxes both panels over the closed pivot tile, in the order of the untiled algorithm. Twice as
/// many CUDA blocks as there are tiles in a panel; the pivot tile is not one of them.
template <class T, class Tuning>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape.pivot))
    ordered_panels_kernel(T* distances, std::int32_t* predecessors, std::size_t pitch,
                          std::size_t pivot_begin, pivot_history<T> history, T floor) {
  constexpr std::size_t tile_size = Tuning::shape.pivot.tile_size;
  std::size_t tile_begin = static_cast<std::size_t>(blockIdx.x / 2) * tile_size;
  if (tile_begin >= pivot_begin) tile_begin += tile_size;
  if (blockIdx.x % 2 == 0) {
    relax_in_order<T, Tuning, cross_part::row_panel, true>(distances, predecessors, pitch,
                                                           pivot_begin, tile_begin, history, floor);
  } else {
    relax_in_order<T, Tuning, cross_part::column_panel, true>(
        distances, predecessors, pitch, pivot_begin, tile_begin, history, floor);
  }
}

/// Copies the panels of a pivot tile to where an update of the panels can read them: the row panel
/// to @p row_panel (tile_size x pitch), the column panel to @p column_panel (extent x tile_size).
template <class T, int TileSize>
__global__ void copy_panels_kernel(const T* distances, std::size_t pitch, std::size_t extent,
                                   std::size_t pivot_begin, T* row_panel, T* column_panel,
                                   T floor) {
  using vector = vector_of<T>;
  const auto copy = [floor](const T* from, T* to) {
    vector values = *reinterpret_cast<const vector*>(from);
#pragma unroll
    for (int e = 0; e < vector::size; ++e) values.values[e] = clamped(values.values[e], floor);
    *reinterpret_cast<vector*>(to) = values;
  };
  const std::size_t vectors_per_panel = extent * TileSize / vector::size;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t v = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       v < 2 * vectors_per_panel; v += stride) {
    if (v < vectors_per_panel) {
      const std::size_t vectors_per_row = extent / vector::size;
      const std::size_t row = v / vectors_per_row;
      const std::size_t column = v % vectors_per_row * vector::size;
      copy(distances + (pivot_begin + row) * pitch + column, row_panel + row * pitch + column);
    } else {
      constexpr std::size_t vectors_per_row = TileSize / vector::size;
      const std::size_t row = (v - vectors_per_panel) / vectors_per_row;
      const std::size_t column = (v - vectors_per_panel) % vectors_per_row * vector::size;
      copy(distances + row * pitch + pivot_begin + column, column_panel + row * TileSize + column);
    }
  }
}

}  // namespace apsp::detail::cuda
