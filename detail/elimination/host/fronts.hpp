// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "../../host/monitor.hpp"
#include "../../host/parallel_for.hpp"
#include "../../tiles/host/tile_kernel_choice.hpp"
#include "../../tiles/host/tile_size.hpp"
#include "../path_values.hpp"

// Dense matrices of values of paths: products, and Floyd–Warshall through some of the vertices.
namespace apsp::inline v1::detail::host {

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

/// Calls f(first_row, first_column, num_rows, num_columns) for blocks that cover an m x n matrix,
/// or the blocks of its upper triangle.
template <class F>
void for_each_block(std::size_t m, std::size_t n, matrix_part part, int threads, F f) {
  constexpr std::size_t edge = 32;  // Columns of two blocks fit in the first-level cache.
  constexpr std::size_t grain = 16;
  const std::size_t across = (n + edge - 1) / edge;
  const std::size_t count = (m + edge - 1) / edge * across;
  const auto pass = [&](std::size_t task) {
    const std::size_t i = task / across * edge;
    const std::size_t j = task % across * edge;
    if (part == matrix_part::upper_triangle && j < i) return;
    f(i, j, std::min(edge, m - i), std::min(edge, n - j));
  };
  if (count <= grain) {
    for (std::size_t task = 0; task < count; ++task) pass(task);
  } else {
    parallel_for(count, threads, pass, grain);
  }
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
/// If a stop is requested, the results are unspecified.
template <class S>
class front_operations {
  using T = typename S::value_type;

 public:
  front_operations(const path_values<S>& values, const monitor& watch)
      : values_(values),
        watch_(watch),
        kernels_(choose_tile_kernels<S>()),
        tile_(tile_size<T>(kernels_.strip_width)) {}

  /// A product of blocks: a is m x depth, b depth x n and c m x n.
  struct block_product {
    std::size_t m;
    std::size_t n;
    std::size_t depth;
    block<const T> a;
    block<const T> b;
    block<T> c;
    matrix_part written = matrix_part::whole;
  };

  /// c = plus(c, a b). c may lie in the rows of a, but not in those of b. It may contain columns of
  /// a if these are at most a tile, and b the rows of a closed one. The result does not depend on
  /// the number of threads.
  void multiply(const block_product& product, int threads) {
    const auto [m, n, depth, a, b, c, written] = product;
    if (m == 0) return;
    if (is_small(m, n, depth)) {
      if (n < narrow) {
        for (std::size_t i = 0; i < m; ++i) relax_narrow_row(a.row(i), b, n, depth, c.row(i));
        return;
      }
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < depth; ++k) relax_row(a.row(i)[k], b.row(k), n, c.row(i));
      }
      return;
    }
    const product_blocks blocks(*this, m, n, depth, threads);
    for (std::size_t k = 0; k < depth; k += blocks.pass) {
      multiply_pass(blocks,
                    {.m = m,
                     .n = n,
                     .depth = std::min(blocks.pass, depth - k),
                     .a = a.from(0, k),
                     .b = b.from(k, 0),
                     .c = c,
                     .written = written},
                    threads);
    }
  }

  /// Relaxes all entries of the matrix of @p size rows through its first @p num_pivots vertices.
  /// @param is_symmetric  the matrix equals its transpose, and `times` commutes: large matrices
  ///                      take half of the relaxations.
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
    // One thread closes a tile while the others wait, so tiles are small.
    constexpr std::size_t most_pivots = 128;
    const std::size_t tile = std::min(tile_, most_pivots);
    for (std::size_t k = 0; k < num_pivots; k += tile) {
      if (watch_.stop_requested()) return;
      const std::size_t width = std::min(tile, num_pivots - k);
      const std::size_t next = k + width;
      // The entries below the diagonal of a symmetric matrix are not kept up to date.
      if (is_symmetric) {
        transpose<T>(k, width, front.from(0, k), front.from(k, 0), threads);
        mirror(width, front.from(k, k), threads);
      }
      close_tile(width, front.from(k, k));
      // A product with the old rows is final: the closed tile contains every path inside it.
      old_rows_.resize(width * front.stride);
      parallel_for(width, threads, [&](std::size_t i) {
        std::copy_n(front.row(k + i), size, old_rows_.data() + i * front.stride);
      });
      multiply({.m = width,
                .n = size,
                .depth = width,
                .a = front.from(k, k),
                .b = block<const T>{old_rows_.data(), front.stride},
                .c = front.from(k, 0)},
               threads);
      if (!is_symmetric) {
        multiply({.m = k,
                  .n = size,
                  .depth = width,
                  .a = front.from(0, k),
                  .b = front.from(k, 0),
                  .c = front},
                 threads);
        multiply({.m = size - next,
                  .n = size,
                  .depth = width,
                  .a = front.from(next, k),
                  .b = front.from(k, 0),
                  .c = front.from(next, 0)},
                 threads);
        continue;
      }
      columns_.resize(size * width);
      const block<T> columns{columns_.data(), width};
      transpose<T>(width, size, front.from(k, 0), columns, threads);
      multiply({.m = k,
                .n = size,
                .depth = width,
                .a = columns,
                .b = front.from(k, 0),
                .c = front,
                .written = matrix_part::upper_triangle},
               threads);
      multiply({.m = size - next,
                .n = size - next,
                .depth = width,
                .a = columns.from(next, 0),
                .b = front.from(k, next),
                .c = front.from(next, next),
                .written = matrix_part::upper_triangle},
               threads);
    }
    if (is_symmetric) mirror(size, front, threads);
  }

 private:
  // Packing takes longer than it saves below this size.
  static bool is_small(std::size_t m, std::size_t n, std::size_t depth) {
    return depth < 8 || m * n * depth < std::size_t{32} * 32 * 32;
  }

  /// How a product of large matrices is divided: c into blocks of rows, and into parts of columns
  /// if there are too few of rows for all threads.
  struct product_blocks {
    product_blocks(const front_operations& operations, std::size_t num_rows,
                   std::size_t num_columns, std::size_t depth, int threads)
        : m(num_rows), n(num_columns), step(operations.tile_) {
      const auto num_threads = static_cast<std::size_t>(thread_count(threads));
      const bool is_shared = num_threads > 1;
      height = is_shared ? std::min(step, most_shared_rows) : step;
      count = (m + height - 1) / height;
      const std::size_t wanted = is_shared ? tasks_per_thread * num_threads : 1;
      const std::size_t strip = operations.kernels_.strip_width;
      const std::size_t most_parts = (wanted + count - 1) / count;
      const std::size_t strips = ((n + most_parts - 1) / most_parts + strip - 1) / strip;
      width = std::max(strips, least_strips) * strip;
      num_parts = (n + width - 1) / width;
      padded_columns = (n + strip - 1) / strip * strip;
      // Threads that share a product wait for each other once in each pass.
      const std::size_t steps = is_shared ? most_packed / (step * (m + n)) : 1;
      pass = std::clamp<std::size_t>(steps, 1, (depth + step - 1) / step) * step;
    }

    std::size_t height_of(std::size_t i) const { return std::min(height, m - i * height); }
    std::size_t columns_of(std::size_t part) const { return std::min(width, n - part * width); }

    static constexpr std::size_t most_shared_rows = 64;
    static constexpr std::size_t tasks_per_thread = 6;
    static constexpr std::size_t least_strips = 4;
    static constexpr std::size_t most_packed = std::size_t{1} << 19;  ///< Entries of both operands.
    std::size_t m;
    std::size_t n;
    std::size_t step;    ///< Columns of a, and rows of b, that are relaxed together.
    std::size_t height;  ///< Of a block of rows.
    std::size_t count;   ///< Of the blocks.
    std::size_t width;   ///< Of a part.
    std::size_t num_parts;
    std::size_t padded_columns;
    std::size_t pass;  ///< Columns of a that are packed before the first of them is used.
  };

  /// Multiplies columns of a and as many rows of b, which are packed at once.
  void multiply_pass(const product_blocks& blocks, const block_product& product, int threads) {
    const std::size_t depth = product.depth;
    const std::size_t step = blocks.step;
    const std::size_t num_steps = (depth + step - 1) / step;
    strips_.resize(num_steps * step * blocks.padded_columns);
    packed_.resize(num_steps * step * blocks.count * blocks.height);
    const auto a_rows = rows_of(product.a, blocks.m);
    const auto b_rows = rows_of(product.b, depth);
    const auto c_rows = rows_of(product.c, blocks.m);
    const auto size_of = [&](std::size_t s) { return std::min(step, depth - s * step); };
    const auto strips_of = [&](std::size_t s, std::size_t column) {
      return strips_.data() + s * step * blocks.padded_columns + column * size_of(s);
    };
    const auto block_of = [&](std::size_t s, std::size_t i) {
      return packed_.data() + (s * blocks.count + i) * blocks.height * step;
    };
    // All operands are packed before an entry is written: c may lie in the rows of a.
    const std::size_t num_packed = blocks.count + blocks.num_parts;
    parallel_for(
        num_steps * num_packed, threads,
        [&](std::size_t task) {
          if (watch_.stop_requested()) return;
          const std::size_t s = task / num_packed;
          const std::size_t i = task % num_packed;
          const std::size_t k = s * step;
          if (i < blocks.count) {
            kernels_.pack_rows(
                {blocks.height_of(i), size_of(s), a_rows.data() + i * blocks.height, k},
                values_.floor, block_of(s, i));
            return;
          }
          const std::size_t part = i - blocks.count;
          kernels_.pack_strips(
              {size_of(s), blocks.columns_of(part), b_rows.data() + k, part * blocks.width},
              values_.floor, values_.none, strips_of(s, part * blocks.width));
        },
        1);
    parallel_for(
        blocks.count * blocks.num_parts, threads,
        [&](std::size_t task) {
          if (watch_.stop_requested()) return;
          const std::size_t i = task / blocks.num_parts;
          const std::size_t part = task % blocks.num_parts;
          const std::size_t end = part * blocks.width + blocks.columns_of(part);
          std::size_t begin = part * blocks.width;
          if (product.written == matrix_part::upper_triangle) {
            const std::size_t strip = kernels_.strip_width;
            begin = std::max(begin, i * blocks.height / strip * strip);
          }
          if (begin >= end) return;
          for (std::size_t s = 0; s < num_steps; ++s) {
            kernels_.relax(values_.semiring, {.m = blocks.height_of(i),
                                              .n = end - begin,
                                              .depth = size_of(s),
                                              .a = block_of(s, i),
                                              .b = strips_of(s, begin),
                                              .c = c_rows.data() + i * blocks.height,
                                              .column = begin});
          }
        },
        1);
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

  /// Rows of fewer entries are relaxed entry by entry.
  static constexpr std::size_t narrow = 4;

  void relax_narrow_row(const T* through, block<const T> from, std::size_t n, std::size_t depth,
                        T* to) const {
    const path_values<S> values = values_;  // The entries written do not alias it.
    for (std::size_t j = 0; j < n; ++j) {
      T best = to[j];
      for (std::size_t k = 0; k < depth; ++k) {
        if (!values.is_path(through[k])) continue;
        best = values.plus(
            values.times(values.above_floor(through[k]), values.above_floor(from.row(k)[j])), best);
      }
      to[j] = best;
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
  const monitor& watch_;
  const tile_kernels<S>& kernels_;
  std::size_t tile_;
  std::vector<T> packed_;
  std::vector<T> strips_;
  std::vector<T> closed_;
  std::vector<T> old_rows_;
  std::vector<T> columns_;
};

}  // namespace apsp::inline v1::detail::host
