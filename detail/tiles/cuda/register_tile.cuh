// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../../device/warp.hpp"
#include "product_operands.cuh"

// Tiles of matrices in the registers of threads, which are relaxed pivot by pivot.
namespace apsp::inline v1::detail::cuda {

/// How threads share a tile.
struct register_shape {
  int rows;
  int columns;
  int rows_per_thread;
  int columns_per_thread;
  /// A thread has groups of so many adjacent rows, spread evenly. As many pivots are unrolled.
  int adjacent_rows;
};

/// Where the row and the column of a pivot are. In unrolled code all but `index` and the owners are
/// known at compile time, so that entries stay in registers.
struct pivot_place {
  int index;           ///< in the tile
  int buffer;          ///< 0 or 1, by turns
  int row;             ///< of the rows of a thread that owns the row
  int column_vector;   ///< of the vectors of a thread that owns the column
  int column_element;  ///< of that vector
  bool owns_row;
  bool owns_column;
};

/// In place of a number of pivots.
struct all_pivots {};

/// The rows and columns of a thread within a tile. Vectors of columns are spread evenly, so that
/// neighbouring threads read neighbouring vectors. @p Shape has a `register_shape` named `shape`.
template <class T, class Shape>
class tile_layout {
 public:
  static constexpr register_shape shape = Shape::shape;
  static constexpr int vector = vector_of<T>::size;
  static constexpr int rows = shape.rows_per_thread;
  static constexpr int vectors = shape.columns_per_thread / vector;
  static constexpr int threads_down = shape.rows / shape.rows_per_thread;
  static constexpr int threads_across = shape.columns / shape.columns_per_thread;
  static constexpr int threads = threads_down * threads_across;

  /// @param thread  0 to `threads` - 1.
  __device__ explicit tile_layout(int thread)
      : thread_row_(thread / threads_across), thread_column_(thread % threads_across) {}

  __device__ __forceinline__ int first_row() const { return thread_row_ * shape.adjacent_rows; }
  __device__ __forceinline__ int first_column() const { return thread_column_ * vector; }
  /// Row @p i of the thread, from its first row on.
  __device__ __forceinline__ static constexpr int row_offset(int i) {
    return i / shape.adjacent_rows * (threads_down * shape.adjacent_rows) + i % shape.adjacent_rows;
  }
  /// The first column of vector @p v of the thread, from its first column on.
  __device__ __forceinline__ static constexpr int column_offset(int v) {
    return v * (threads_across * vector);
  }
  __device__ __forceinline__ int row_of(int i) const { return first_row() + row_offset(i); }
  __device__ __forceinline__ int column_of(int v) const {
    return first_column() + column_offset(v);
  }

  /// Waits for the threads of the tile. If there are more than a warp, they are all threads of the
  /// CUDA block.
  __device__ __forceinline__ static void synchronize() {
    if constexpr (threads == warp_size) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  /// Calls @p step for the pivots of the tile in order: its rows, its columns, or both if it is on
  /// the diagonal.
  /// @param num_pivots  `all_pivots`, or their number; there may be calls for a few more.
  template <class Count, class Step>
  __device__ __forceinline__ void for_each_pivot([[maybe_unused]] Count num_pivots,
                                                 const Step& step) const {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
#pragma unroll 1
      for (int turn = 0; turn < turns; ++turn) {
        const int begin = part * part_size + turn * unrolled;
        if constexpr (!std::is_same_v<Count, all_pivots>) {
          if (begin >= num_pivots) return;
        }
#pragma unroll
        for (int u = 0; u < unrolled; ++u) {
          pivot_place k;
          k.index = begin + u;
          k.buffer = unrolled % 2 == 0 ? u % 2 : k.index % 2;
          k.row = part * row_groups / parts * shape.adjacent_rows + u % shape.adjacent_rows;
          k.column_vector = part * vectors / parts;
          k.column_element = u % vector;
          // The threads that own the first pivot of the part are known at compile time.
          k.owns_row = part * part_size / shape.adjacent_rows % threads_down +
                           turn * (unrolled / shape.adjacent_rows) + u / shape.adjacent_rows ==
                       thread_row_;
          k.owns_column = part * part_size / vector % threads_across + turn * (unrolled / vector) +
                              u / vector ==
                          thread_column_;
          step(k);
        }
      }
    }
  }

 private:
  static constexpr int row_groups = shape.rows_per_thread / shape.adjacent_rows;
  static constexpr int pivots = std::max(shape.rows, shape.columns);
  /// The pivots of a part are in the same group of rows, and in the same vector, of their threads.
  static constexpr int parts = std::max(row_groups, vectors);
  static constexpr int part_size = pivots / parts;
  /// The number of consecutive pivots after which the same registers are used again.
  static constexpr int unrolled = std::max(shape.adjacent_rows, vector);
  static constexpr int turns = part_size / unrolled;

  static_assert(vectors >= 1 && shape.columns_per_thread % vector == 0);
  static_assert(row_groups >= 1 && shape.rows_per_thread % shape.adjacent_rows == 0);
  static_assert(parts % row_groups == 0 && parts % vectors == 0);
  static_assert(unrolled % shape.adjacent_rows == 0 && unrolled % vector == 0 &&
                part_size % unrolled == 0);

  int thread_row_;
  int thread_column_;
};

template <class Vector, class Element>
__device__ __forceinline__ Vector load_vector(const Element* from) {
  return *reinterpret_cast<const Vector*>(from);
}
template <class Vector, class Element>
__device__ __forceinline__ void store_vector(Element* to, const Vector& vector) {
  *reinterpret_cast<Vector*>(to) = vector;
}

/// A tile of a matrix: entries from (`first_row`, `first_column`) on.
template <class T>
struct whole_tile {
  T* matrix;
  std::size_t first_row;
  std::size_t first_column;
  std::size_t pitch;

  /// @return the tile's part from an entry on.
  __device__ __forceinline__ whole_tile from(int row, int column) const {
    return {matrix, 0, index_of(row, column), pitch};
  }
  __device__ __forceinline__ static bool contains(int /*row*/, int /*column*/) { return true; }
  /// @return the index of an entry in the matrix.
  __device__ __forceinline__ std::size_t index_of(int row, int column) const {
    return (first_row + static_cast<std::size_t>(row)) * pitch + first_column +
           static_cast<std::size_t>(column);
  }
  template <class Vector>
  __device__ __forceinline__ Vector load(int row, int column) const {
    return load_vector<Vector>(matrix + index_of(row, column));
  }
  template <class Vector>
  __device__ __forceinline__ void store(int row, int column, const Vector& vector) const {
    store_vector(matrix + index_of(row, column), vector);
  }
};

/// A tile that may reach beyond its matrix. Entries there are `outside`, and are not stored.
template <class T>
struct clipped_tile {
  T* matrix;
  int begin;  ///< index of the tile's first entry
  int pitch;
  int rows;     ///< of the matrix, from the tile's first entry on
  int columns;  ///< the same, in whole vectors
  T outside;

  __device__ __forceinline__ clipped_tile from(int row, int column) const {
    return {matrix, index_of(row, column), pitch, rows - row, columns - column, outside};
  }
  __device__ __forceinline__ bool contains(int row, int column) const {
    return row < rows && column < columns;
  }
  __device__ __forceinline__ int index_of(int row, int column) const {
    return begin + row * pitch + column;
  }
  template <class Vector>
  __device__ __forceinline__ Vector load(int row, int column) const {
    if (contains(row, column)) return load_vector<Vector>(matrix + index_of(row, column));
    Vector filled;
#pragma unroll
    for (int e = 0; e < Vector::size; ++e) filled.values[e] = outside;
    return filled;
  }
  template <class Vector>
  __device__ __forceinline__ void store(int row, int column, const Vector& vector) const {
    store_vector(matrix + index_of(row, column), vector);
  }
};

/// A tile in the registers of a CUDA block, or of a warp. It is loaded from and stored to a
/// `whole_tile` or a `clipped_tile`.
template <class Algebra, class Shape>
class register_tile {
  using T = typename Algebra::value_type;
  using layout = tile_layout<T, Shape>;

 public:
  using values = vector_of<T>;
  static constexpr int threads = layout::threads;

  /// A row and a column that threads exchange. Double buffered: while one pivot's values are read,
  /// the next pivot's are written.
  struct exchange {
    alignas(vector_bytes) T row[2][layout::shape.columns];
    alignas(vector_bytes) T column[2][layout::shape.rows];
  };

  /// @param thread  0 to `threads` - 1.
  __device__ register_tile(const Algebra& algebra, int thread)
      : algebra_(algebra), layout_(thread) {}

  template <class Place>
  __device__ __forceinline__ void load(const Place& place) {
    const Place own = place.from(layout_.first_row(), layout_.first_column());
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
        entries_[i][v] = own.template load<values>(layout::row_offset(i), layout::column_offset(v));
      }
    }
  }

  /// Stores the tile. `change(vector, index)` may change what is stored at an index of the matrix.
  template <class Place, class Change>
  __device__ __forceinline__ void store(const Place& place, const Change& change) const {
    const Place own = place.from(layout_.first_row(), layout_.first_column());
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
        const int row = layout::row_offset(i);
        const int column = layout::column_offset(v);
        if (!own.contains(row, column)) continue;
        values stored = entries_[i][v];
        change(stored, own.index_of(row, column));
        own.store(row, column, stored);
      }
    }
  }

  /// Floyd–Warshall over the first @p num_pivots vertices of a tile on the diagonal, or
  /// `all_pivots`. Relaxing over those after them must change nothing. All threads of the tile must
  /// take part.
  template <class Count>
  __device__ __forceinline__ void close(Count num_pivots, exchange& shared, T floor) {
    layout_.for_each_pivot(num_pivots, [&](const pivot_place& k) {
      if (k.owns_row) {
#pragma unroll
        for (int v = 0; v < layout::vectors; ++v) {
          values own = entries_[k.row][v];
          clamp(own, floor);
          store_vector(&shared.row[k.buffer][layout_.column_of(v)], own);
        }
      }
      if (k.owns_column) {
#pragma unroll
        for (int i = 0; i < layout::rows; ++i) {
          shared.column[k.buffer][layout_.row_of(i)] =
              algebra_.clamped(entries_[i][k.column_vector].values[k.column_element], floor);
        }
      }
      layout::synchronize();
      relax(shared.row[k.buffer], shared.column[k.buffer]);
    });
  }

  /// Relaxes the tile over one pivot with the given row and column.
  __device__ __forceinline__ void relax(const T* pivot_row, const T* pivot_column) {
    values from_pivot[layout::vectors];
#pragma unroll
    for (int v = 0; v < layout::vectors; ++v) {
      from_pivot[v] = load_vector<values>(pivot_row + layout_.column_of(v));
    }
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      const T to_pivot = pivot_column[layout_.row_of(i)];
#pragma unroll
      for (int v = 0; v < layout::vectors; ++v) {
#pragma unroll
        for (int e = 0; e < layout::vector; ++e) {
          T& entry = entries_[i][v].values[e];
          entry = algebra_.relax(entry, to_pivot, from_pivot[v].values[e]);
        }
      }
    }
  }

  __device__ __forceinline__ void clamp(values& of, T floor) const {
#pragma unroll
    for (int e = 0; e < layout::vector; ++e) of.values[e] = algebra_.clamped(of.values[e], floor);
  }

 private:
  Algebra algebra_;
  layout layout_;
  values entries_[layout::rows][layout::vectors];
};

}  // namespace apsp::inline v1::detail::cuda
