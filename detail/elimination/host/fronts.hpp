// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "../../host/parallel_for.hpp"
#include "../../tiles/host/tile_kernel_choice.hpp"
#include "../../tiles/host/tile_size.hpp"
#include "../path_values.hpp"

// Dense matrices of values of paths: products, and Floyd–Warshall through some of the vertices.
namespace apsp::detail::host {

/// Part of a dense matrix, row-major.
template <class T>
struct block {
  T* entries;
  std::size_t stride;

  block(T* first_entry, std::size_t entries_per_row)
      : entries(first_entry), stride(entries_per_row) {}
  template <class X>
    requires(std::is_same_v<const X, T>)
  block(const block<X>& writable) : entries(writable.entries), stride(writable.stride) {}

  T* row(std::size_t i) const { return entries + i * stride; }
  block from(std::size_t row, std::size_t column) const {
    return {entries + row * stride + column, stride};
  }
};

/// Which entries of a matrix a product has to write; it may write others, too.
enum class matrix_part { whole, upper_triangle };

/// Calls f(first_row, first_column, num_rows, num_columns) for blocks that cover an m x n matrix, or
/// the blocks of its upper triangle.
template <class F>
void for_each_block(std::size_t m, std::size_t n, matrix_part part, int threads, F f) {
  constexpr std::size_t edge = 32;  // Columns of two blocks fit in the first-level cache.
  parallel_for((m + edge - 1) / edge, threads,
               [&](std::size_t block_row) {
                 const std::size_t i = block_row * edge;
                 for (std::size_t j = part == matrix_part::whole ? 0 : i; j < n; j += edge) {
                   f(i, j, std::min(edge, m - i), std::min(edge, n - j));
                 }
               },
               4);
}

/// to = the transpose of the m x n matrix @p from.
template <class T>
void transpose(std::size_t m, std::size_t n, block<const T> from, block<T> to, int threads) {
  for_each_block(m, n, matrix_part::whole, threads,
                 [&](std::size_t i, std::size_t j, std::size_t height, std::size_t width) {
                   for (std::size_t y = j; y < j + width; ++y) {
                     for (std::size_t x = i; x < i + height; ++x) to.row(y)[x] = from.row(x)[y];
                   }
                 });
}

/// Copies the upper triangle of a square matrix to the lower one.
template <class T>
void mirror(std::size_t size, block<T> matrix, int threads) {
  for_each_block(size, size, matrix_part::upper_triangle, threads,
                 [&](std::size_t i, std::size_t j, std::size_t height, std::size_t width) {
                   for (std::size_t y = j; y < j + width; ++y) {
                     const std::size_t end = std::min(i + height, y);
                     for (std::size_t x = i; x < end; ++x) matrix.row(y)[x] = matrix.row(x)[y];
                   }
                 });
}

/// Operations on fronts, in loops of their own for small ones and with the tile kernels for large
/// ones. Not for use by several threads at once: the operands are packed in memory of this object.
template <class S>
class front_operations {
  using T = typename S::value_type;

 public:
  explicit front_operations(const path_values<S>& values)
      : values_(values),
        kernels_(choose_tile_kernels<S>()),
        tile_(tile_size<T>(kernels_.strip_width)) {}

  /// c = plus(c, a b), where a is m x depth, b is depth x n and c is m x n. c may lie in the rows
  /// of a, but not in those of b.
  void multiply(std::size_t m, std::size_t n, std::size_t depth, block<const T> a, block<const T> b,
                block<T> c, int threads, matrix_part written = matrix_part::whole) {
    if (m == 0) return;
    if (is_small(m, n, depth)) {
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < depth; ++k) relax_row(a.row(i)[k], b.row(k), n, c.row(i));
      }
      return;
    }
    const std::size_t width = kernels_.strip_width;
    strips_.resize(tile_ * ((n + width - 1) / width * width));
    packed_.resize((m + tile_ - 1) / tile_ * tile_ * tile_);
    const auto c_rows = rows_of(c, m);
    const auto a_rows = rows_of(a, m);
    const auto b_rows = rows_of(b, depth);
    // Blocks of rows, and of columns if there are too few of rows for all threads.
    const std::size_t num_blocks = (m + tile_ - 1) / tile_;
    const std::size_t part_width = width_of_parts(num_blocks, n, threads);
    const std::size_t num_parts = (n + part_width - 1) / part_width;
    const auto columns_of = [&](std::size_t part) {
      return std::min(part_width, n - part * part_width);
    };
    for (std::size_t k = 0; k < depth; k += tile_) {
      const std::size_t size = std::min(tile_, depth - k);
      const auto strips_of = [&](std::size_t part) {
        return strips_.data() + part * part_width * size;
      };
      const auto block_of = [&](std::size_t i) { return packed_.data() + i * tile_ * tile_; };
      const auto height_of = [&](std::size_t i) { return std::min(tile_, m - i * tile_); };
      // All operands are packed before an entry is written: c may lie in the rows of a.
      parallel_for(
          num_blocks + num_parts, threads,
          [&](std::size_t task) {
            if (task < num_blocks) {
              kernels_.pack_rows(height_of(task), size, a_rows.data() + task * tile_, k,
                                 values_.floor, block_of(task));
              return;
            }
            const std::size_t part = task - num_blocks;
            kernels_.pack_strips(size, columns_of(part), b_rows.data() + k, part * part_width,
                                 values_.floor, values_.none, strips_of(part));
          },
          1);
      parallel_for(
          num_blocks * num_parts, threads,
          [&](std::size_t task) {
            const std::size_t i = task / num_parts;
            const std::size_t first = task % num_parts * part_width;
            const std::size_t end = first + columns_of(task % num_parts);
            // A tile consists of whole strips.
            const std::size_t begin =
                written == matrix_part::whole ? first : std::max(first, i * tile_);
            if (begin >= end) return;
            kernels_.relax(values_.semiring, height_of(i), end - begin, size, block_of(i),
                           strips_.data() + begin * size, c_rows.data() + i * tile_, begin);
          },
          1);
    }
  }

  /// Relaxes all entries of the matrix of @p size rows through its first @p num_pivots vertices.
  /// @param is_symmetric  the matrix equals its transpose, and `times` commutes: large matrices take
  ///                      half of the relaxations.
  void close(std::size_t size, std::size_t num_pivots, block<T> front, bool is_symmetric,
             int threads) {
    if (is_small(size, size, num_pivots)) {
      for (std::size_t k = 0; k < num_pivots; ++k) {
        for (std::size_t i = 0; i < size; ++i) {
          if (i != k) relax_row(front.row(i)[k], front.row(k), size, front.row(i));
        }
      }
      return;
    }
    for (std::size_t k = 0; k < num_pivots; k += tile_) {
      const std::size_t width = std::min(tile_, num_pivots - k);
      const std::size_t next = k + width;
      // The entries to the left of the diagonal tiles of a symmetric matrix are not kept up to date.
      if (is_symmetric) transpose<T>(k, width, front.from(0, k), front.from(k, 0), threads);
      close_tile(width, front.from(k, k));
      // A product with the old rows is final: the closed tile contains every path inside it.
      old_rows_.assign(front.row(k), front.row(k) + width * front.stride);
      multiply(width, size, width, front.from(k, k), block<const T>{old_rows_.data(), front.stride},
               front.from(k, 0), threads);
      if (!is_symmetric) {
        multiply(k, size, width, front.from(0, k), front.from(k, 0), front, threads);
        multiply(size - next, size, width, front.from(next, k), front.from(k, 0),
                 front.from(next, 0), threads);
        continue;
      }
      columns_.resize(size * width);
      const block<T> columns{columns_.data(), width};
      transpose<T>(width, size, front.from(k, 0), columns, threads);
      multiply(k, size, width, columns, front.from(k, 0), front, threads,
               matrix_part::upper_triangle);
      multiply(size - next, size - next, width, columns.from(next, 0), front.from(k, next),
               front.from(next, next), threads, matrix_part::upper_triangle);
    }
    if (is_symmetric) mirror(size, front, threads);
  }

 private:
  // Packing takes longer than it saves below this size.
  static bool is_small(std::size_t m, std::size_t n, std::size_t depth) {
    return depth < 8 || m * n * depth < std::size_t{32} * 32 * 32;
  }

  /// The columns of a part: whole strips, and at least some of them.
  std::size_t width_of_parts(std::size_t num_blocks, std::size_t n, int threads) const {
    constexpr std::size_t least_strips = 4;
    const std::size_t wanted =
        thread_count(threads) == 1 ? 1 : 2 * static_cast<std::size_t>(thread_count(threads));
    const std::size_t num_parts = (wanted + num_blocks - 1) / num_blocks;
    const std::size_t width = kernels_.strip_width;
    const std::size_t strips = ((n + num_parts - 1) / num_parts + width - 1) / width;
    return std::max(strips, least_strips) * width;
  }

  void relax_row(const T& through, const T* from, std::size_t n, T* to) const {
    const path_values<S> values = values_;  // The entries written do not alias it.
    if (!values.is_path(through)) return;
    // Products leave entries below the floor if a cycle is negative.
    const T above = values.above_floor(through);
    for (std::size_t j = 0; j < n; ++j) {
      to[j] = values.plus(values.times(above, values.above_floor(from[j])), to[j]);
    }
  }

  template <class X>
  static std::vector<X*> rows_of(block<X> b, std::size_t count) {
    std::vector<X*> rows(count);
    for (std::size_t i = 0; i < count; ++i) rows[i] = b.row(i);
    return rows;
  }

  void close_tile(std::size_t size, block<T> tile) {
    const std::size_t width = kernels_.strip_width;
    const std::size_t stride = (size + width - 1) / width * width;
    closed_.assign(size * stride, values_.none);
    for (std::size_t i = 0; i < size; ++i) {
      std::copy_n(tile.row(i), size, closed_.data() + i * stride);
    }
    kernels_.close(values_.semiring, size, stride, closed_.data(), values_.floor, nullptr);
    for (std::size_t i = 0; i < size; ++i) {
      std::copy_n(closed_.data() + i * stride, size, tile.row(i));
    }
  }

  path_values<S> values_;
  const tile_kernels<S>& kernels_;
  std::size_t tile_;
  std::vector<T> packed_;
  std::vector<T> strips_;
  std::vector<T> closed_;
  std::vector<T> old_rows_;
  std::vector<T> columns_;
};

}  // namespace apsp::detail::host
