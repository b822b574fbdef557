// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../device/warp.hpp"
#include "triangle.cuh"

// What the product kernels take: matrices, and the tiles of C that take part.
namespace apsp::inline v1::detail::cuda {

/// As many values as one thread loads at a time.
template <class T>
struct alignas(vector_bytes) vector_of {
  static constexpr int size = static_cast<int>(vector_bytes / sizeof(T));
  T values[size];
};

/// The rows, or columns, of tiles of C that take part: `count` of them in order, with a gap.
struct tile_lines {
  int count = 0;
  int gap_begin = 0;
  int gap_size = 0;

  __device__ constexpr int line(int index) const {
    return index < gap_begin ? index : index + gap_size;
  }
};

__host__ __device__ constexpr tile_lines lines_from(int begin, int count) {
  return {count, 0, begin};
}
__host__ __device__ constexpr tile_lines lines_except(int total, int begin, int count) {
  return {total - count, begin, count};
}

/// The tiles of C that take part: rows times columns, or those of an upper triangle.
struct tile_grid {
  tile_lines rows;
  tile_lines columns;
  /// Tiles in a square of a triangle, in each direction; 0 if there is none. `rows` and `columns`
  /// are then the same lines of squares.
  int square_rows = 0;
  int square_columns = 0;

  __host__ __device__ constexpr bool is_triangle() const { return square_rows != 0; }
  __host__ __device__ constexpr int size() const {
    if (!is_triangle()) return rows.count * columns.count;
    return static_cast<int>(num_upper_places(static_cast<std::size_t>(rows.count))) * square_rows *
           square_columns;
  }
  __device__ __forceinline__ upper_place place_of(int tile) const {
    if (!is_triangle()) {
      const int row = tile / columns.count;
      return {rows.line(row), columns.line(tile - row * columns.count)};
    }
    const int square = tile / (square_rows * square_columns);
    const int part = tile - square * (square_rows * square_columns);
    const upper_place place = upper_place_of(static_cast<std::size_t>(square));
    return {rows.line(place.row) * square_rows + part / square_columns,
            columns.line(place.column) * square_columns + part % square_columns};
  }
};

/// The tiles on and above the diagonal in the given lines of squares of @p square_rows x
/// @p square_columns tiles.
constexpr tile_grid triangle_of(tile_lines squares, int square_rows, int square_columns) {
  return {squares, squares, square_rows, square_columns};
}

/// C = plus(C, A (x) B), element-wise, where (A (x) B)[i][j] is the sum of times(A[i][k], B[k][j]).
///
/// All matrices are row-major, begin at a multiple of `vector_bytes`, and have a pitch in elements
/// that is a multiple of a vector. A and B do not overlap the tiles of C.
template <class T>
struct product_operands {
  tile_grid grid;
  const T* a = nullptr;
  std::size_t a_pitch = 0;
  const T* b = nullptr;
  std::size_t b_pitch = 0;
  T* c = nullptr;
  std::size_t c_pitch = 0;
  // If the best product is better than C[i][j] was, predecessors_c[i][j] = predecessors_b[k][j].
  const std::int32_t* predecessors_b = nullptr;
  std::int32_t* predecessors_c = nullptr;
  // With a tuning that notes steps, predecessors_c[i][j] = note instead.
  std::int32_t note = 0;
};

/// The distances and predecessors of a matrix, from some row and column on.
template <class T>
struct matrix_entries {
  T* distances;
  std::int32_t* predecessors;  ///< Null, or with the same pitch.
  std::size_t pitch;
};

/// The sizes of a product: A is rows x depth, B depth x columns.
struct product_extent {
  std::size_t rows;
  std::size_t depth;
  std::size_t columns;
};

/// Two products in one launch: the first grid's tiles, then the second's.
template <class T>
struct product_pair {
  product_operands<T> first{};
  product_operands<T> second{};
};

}  // namespace apsp::inline v1::detail::cuda
