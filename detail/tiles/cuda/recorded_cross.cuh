// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../device/warp.hpp"
#include "product_operands.cuh"
#include "register_tile.cuh"
#include "tile_shape.hpp"

// The pivot tile and the panels, relaxed pivot by pivot with the predecessors of their entries.
namespace apsp::inline v1::detail::cuda {

/// Row k and column k of the matrix at the time when vertex k was the pivot, for every k of one
/// pivot tile. With this history the remainder is relaxed in the order of the untiled algorithm.
/// That keeps the predecessors of a row a tree even if cycles of weight zero make many paths
/// equally short.
template <class T>
struct pivot_history {
  T* rows;                         ///< tile_size x extent
  std::int32_t* row_predecessors;  ///< tile_size x extent
  T* columns;                      ///< extent x tile_size
};

/// The tile of the pivot's cross that a CUDA block relaxes.
enum class cross_part { pivot_tile, row_panel, column_panel };

template <class T, class Tuning, cross_part Part>
struct cross_registers {
  static constexpr pivot_shape pivot = Tuning::shape.pivot;
  static constexpr register_shape shape{
      Part == cross_part::column_panel ? pivot.panel_width : pivot.tile_size,
      Part == cross_part::row_panel ? pivot.panel_width : pivot.tile_size, pivot.entries_per_thread,
      pivot.entries_per_thread, vector_of<T>::size};
};

/// As many vertex numbers as there are values in a vector.
template <class T>
struct alignas(vector_of<T>::size * sizeof(std::int32_t)) vertices_of {
  std::int32_t values[vector_of<T>::size];
};

/// A tile of the cross in the registers of a CUDA block, and the predecessors of its entries. It
/// writes the history of the pivots whose row or column it has, and reads the other one.
template <class Algebra, class Tuning, cross_part Part>
class recorded_tile {
  using T = typename Algebra::value_type;
  using layout = tile_layout<T, cross_registers<T, Tuning, Part>>;
  using values = vector_of<T>;
  using vertices = vertices_of<T>;
  static constexpr bool has_rows = Part != cross_part::column_panel;
  static constexpr bool has_columns = Part != cross_part::row_panel;
  static constexpr int num_pivots = Tuning::shape.pivot.tile_size;

 public:
  /// Double buffered, as in `register_tile`.
  struct exchange {
    alignas(vector_bytes) T row[2][layout::shape.columns];
    alignas(vector_bytes) T column[2][layout::shape.rows];
    alignas(vector_bytes) std::int32_t row_predecessors[2][layout::shape.columns];
  };

  /// @param tile_begin  first column of a row panel's tile, or first row of a column panel's.
  __device__ recorded_tile(const Algebra& algebra, std::size_t pitch, std::size_t pivot_begin,
                           std::size_t tile_begin, const pivot_history<T>& history, T floor)
      : algebra_(algebra),
        pitch_(pitch),
        first_row_(has_rows ? pivot_begin : tile_begin),
        first_column_(has_columns ? pivot_begin : tile_begin),
        rows_{history.rows, 0, first_column_, pitch},
        row_predecessors_{history.row_predecessors, 0, first_column_, pitch},
        columns_{history.columns, first_row_, 0, num_pivots},
        floor_(floor),
        layout_(static_cast<int>(threadIdx.x)) {}

  __device__ __forceinline__ void run(T* distances, std::int32_t* predecessors, exchange& shared) {
    const whole_tile<T> place{distances, first_row_, first_column_, pitch_};
    const whole_tile<std::int32_t> predecessors_place{predecessors, first_row_, first_column_,
                                                      pitch_};
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
        const int row = layout_.row_of(i);
        const int column = layout_.column_of(v);
        entries_[i][v] = place.template load<values>(row, column);
        predecessors_[i][v] = predecessors_place.template load<vertices>(row, column);
      }
    }
    layout_.for_each_pivot(all_pivots{}, [&](const pivot_place& k) {
      pivot_line line;
      if constexpr (!has_rows) {
        read_row(k.index, line);
      } else if (k.owns_row) {
        record_row(k, shared);
      }
      if constexpr (!has_columns) {
        read_column(k.index, line);
      } else if (k.owns_column) {
        record_column(k, shared);
      }
      layout::synchronize();
      if constexpr (has_rows) receive_row(k.buffer, shared, line);
      if constexpr (has_columns) receive_column(k.buffer, shared, line);
      relax(line);
    });
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
        const int row = layout_.row_of(i);
        const int column = layout_.column_of(v);
        place.store(row, column, clamped(entries_[i][v]));
        predecessors_place.store(row, column, predecessors_[i][v]);
      }
    }
  }

 private:
  /// What a thread needs of the row and the column of a pivot.
  struct pivot_line {
    values row[layout::vectors];
    vertices predecessors[layout::vectors];
    T column[layout::rows];
  };

  __device__ __forceinline__ values clamped(values of) const {
#pragma unroll
    for (T& value : of.values) value = algebra_.clamped(value, floor_);
    return of;
  }

  __device__ __forceinline__ void record_row(const pivot_place& k, exchange& shared) const {
#pragma unroll
    for (int v = 0; v < layout::vectors; ++v) {
      const int column = layout_.column_of(v);
      const values own = clamped(entries_[k.row][v]);
      const vertices own_predecessors = predecessors_[k.row][v];
      store_vector(&shared.row[k.buffer][column], own);
      store_vector(&shared.row_predecessors[k.buffer][column], own_predecessors);
      rows_.store(k.index, column, own);
      row_predecessors_.store(k.index, column, own_predecessors);
    }
  }
  __device__ __forceinline__ void record_column(const pivot_place& k, exchange& shared) const {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      const int row = layout_.row_of(i);
      const T own = algebra_.clamped(entries_[i][k.column_vector].values[k.column_element], floor_);
      shared.column[k.buffer][row] = own;
      columns_.matrix[columns_.index_of(row, k.index)] = own;
    }
  }

  __device__ __forceinline__ void read_row(int pivot, pivot_line& into) const {
#pragma unroll
    for (int v = 0; v < layout::vectors; ++v) {
      const int column = layout_.column_of(v);
      into.row[v] = rows_.template load<values>(pivot, column);
      into.predecessors[v] = row_predecessors_.template load<vertices>(pivot, column);
    }
  }
  __device__ __forceinline__ void read_column(int pivot, pivot_line& into) const {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      into.column[i] = columns_.matrix[columns_.index_of(layout_.row_of(i), pivot)];
    }
  }

  __device__ __forceinline__ void receive_row(int buffer, const exchange& shared,
                                              pivot_line& into) const {
#pragma unroll
    for (int v = 0; v < layout::vectors; ++v) {
      const int column = layout_.column_of(v);
      into.row[v] = load_vector<values>(&shared.row[buffer][column]);
      into.predecessors[v] = load_vector<vertices>(&shared.row_predecessors[buffer][column]);
    }
  }
  __device__ __forceinline__ void receive_column(int buffer, const exchange& shared,
                                                 pivot_line& into) const {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      into.column[i] = shared.column[buffer][layout_.row_of(i)];
    }
  }

  __device__ __forceinline__ void relax(const pivot_line& over) {
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
#pragma unroll
        for (int e = 0; e < layout::vector; ++e) {
          T& entry = entries_[i][v].values[e];
          std::int32_t& predecessor = predecessors_[i][v].values[e];
          const T through_pivot = algebra_.times(over.column[i], over.row[v].values[e]);
          const bool improves = algebra_.improves(through_pivot, entry);
          entry = improves ? through_pivot : entry;
          predecessor = improves ? over.predecessors[v].values[e] : predecessor;
        }
      }
    }
  }

  Algebra algebra_;
  std::size_t pitch_;
  std::size_t first_row_;
  std::size_t first_column_;
  // The part of the history in the rows and columns of the tile.
  whole_tile<T> rows_;
  whole_tile<std::int32_t> row_predecessors_;
  whole_tile<T> columns_;
  T floor_;
  layout layout_;
  values entries_[layout::rows][layout::vectors];
  vertices predecessors_[layout::rows][layout::vectors];
};

template <class Algebra, class Tuning, cross_part Part, class T = typename Algebra::value_type>
__device__ __forceinline__ void relax_in_order(const Algebra& algebra,
                                               const matrix_entries<T>& matrix,
                                               std::size_t pivot_begin, std::size_t tile_begin,
                                               const pivot_history<T>& history, T floor) {
  using tile_type = recorded_tile<Algebra, Tuning, Part>;
  __shared__ typename tile_type::exchange shared;
  tile_type tile(algebra, matrix.pitch, pivot_begin, tile_begin, history, floor);
  tile.run(matrix.distances, matrix.predecessors, shared);
}

/// Closes the pivot tile at @p pivot_begin. One CUDA block.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(pivot_threads(Tuning::shape.pivot),
                                  pivot_threads(Tuning::shape.pivot) <= 256 ? 3 : 1)
    ordered_pivot_tile_kernel(const Algebra algebra, matrix_entries<T> matrix,
                              std::size_t pivot_begin, pivot_history<T> history, T floor) {
  relax_in_order<Algebra, Tuning, cross_part::pivot_tile>(algebra, matrix, pivot_begin, pivot_begin,
                                                          history, floor);
}

/// Relaxes both panels over the closed pivot tile, in the order of the untiled algorithm. Two CUDA
/// blocks for each `panel_width` of the extent, except for that of the pivot tile.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(panel_threads(Tuning::shape.pivot), 2)
    ordered_panels_kernel(const Algebra algebra, matrix_entries<T> matrix, std::size_t pivot_begin,
                          pivot_history<T> history, T floor) {
  std::size_t tile_begin =
      static_cast<std::size_t>(blockIdx.x / 2) * Tuning::shape.pivot.panel_width;
  if (tile_begin >= pivot_begin) tile_begin += Tuning::shape.pivot.tile_size;
  if (blockIdx.x % 2 == 0) {
    relax_in_order<Algebra, Tuning, cross_part::row_panel>(algebra, matrix, pivot_begin, tile_begin,
                                                           history, floor);
  } else {
    relax_in_order<Algebra, Tuning, cross_part::column_panel>(algebra, matrix, pivot_begin,
                                                              tile_begin, history, floor);
  }
}

}  // namespace apsp::inline v1::detail::cuda
