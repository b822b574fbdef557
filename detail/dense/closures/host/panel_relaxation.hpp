// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../matrix/part.hpp"
#include "../../../tiles/host/tile_kernel_choice.hpp"
#include "../../../tiles/host/tile_size.hpp"

namespace apsp::inline v1::detail::host {

/// Relaxes rows of a matrix through a panel of pivot rows, which is packed once for all of them.
///
/// The factors of a row, which are its entries in the pivot columns, are read before any entry of
/// it is written, and every sum of one of them and an entry of the panel is taken. So the bits of
/// an entry depend on that entry, its factors and the panel alone: not on the entries that are
/// relaxed with it, the size of tiles or the threads.
template <class S>
class panel_relaxation {
  using T = typename S::value_type;

 public:
  /// @param max_depth  the most rows of a panel.
  /// @param columns    of the matrix.
  panel_relaxation(const S& semiring, std::size_t max_depth, std::size_t columns, const T& zero,
                   const T& floor, int threads)
      : semiring_(semiring),
        kernels_(choose_tile_kernels<S>()),
        columns_(columns),
        zero_(zero),
        floor_(floor),
        threads_(threads),
        size_(tile_size<T>(kernels_.strip_width)),
        // Whole strips, so that only the last strip of a matrix is padded.
        tile_columns_((size_ + kernels_.strip_width - 1) / kernels_.strip_width *
                      kernels_.strip_width),
        column_tiles_((columns + tile_columns_ - 1) / tile_columns_),
        factors_(row_tiles_at_a_time * size_ * max_depth),
        strips_(column_tiles_ * tile_columns_ * max_depth) {}

  /// Packs the @p depth rows of the panel.
  void set_panel(const T* const* rows, std::size_t depth) {
    depth_ = depth;
    parallel_for(
        column_tiles_, threads_,
        [&](std::size_t tile) {
          for (std::size_t k = 0; k < depth; k += size_) {
            kernels_.pack_strips({depth_from(k), width(tile), rows + k, tile * tile_columns_},
                                 floor_, zero_, strips_of(tile, k));
          }
        },
        1);
  }

  /// The tiles of columns with the columns from @p from on and before @p to.
  index_part tiles_with(std::size_t from, std::size_t to) const {
    if (from == to) return {0, 0};
    const std::size_t first = from / tile_columns_;
    return {first, (to - 1) / tile_columns_ + 1 - first};
  }
  index_part all_tiles() const { return {0, column_tiles_}; }

  /// Relaxes @p count rows in some tiles of columns.
  /// @param factors  the factors of each row, from column @p pivot on. They may be the rows
  ///                 themselves if these are relaxed in all tiles.
  /// @param poll     called now and then by the calling thread.
  template <class Poll>
  void relax(T* const* rows, std::size_t count, const T* const* factors, std::size_t pivot,
             const index_part& tiles, Poll poll) {
    if (tiles.count == 0) return;
    const std::size_t rows_at_a_time = row_tiles_at_a_time * size_;
    for (std::size_t first = 0; first < count; first += rows_at_a_time) {
      relax_some(rows + first, std::min(rows_at_a_time, count - first), factors + first, pivot,
                 tiles);
      poll();
    }
  }

 private:
  static constexpr std::size_t row_tiles_at_a_time = 8;

  std::size_t depth_from(std::size_t k) const { return std::min(size_, depth_ - k); }
  std::size_t width(std::size_t tile) const {
    return std::min(tile_columns_, columns_ - tile * tile_columns_);
  }
  /// The packed rows of the panel from row @p k on, in the columns of a tile.
  T* strips_of(std::size_t tile, std::size_t k) {
    return strips_.data() + (tile * depth_ + k) * tile_columns_;
  }

  void relax_some(T* const* rows, std::size_t count, const T* const* factors, std::size_t pivot,
                  const index_part& tiles) {
    const std::size_t row_tiles = (count + size_ - 1) / size_;
    const auto height = [&](std::size_t tile) { return std::min(size_, count - tile * size_); };
    const auto factors_of = [&](std::size_t tile, std::size_t k) {
      return factors_.data() + tile * size_ * depth_ + k * height(tile);
    };
    parallel_for(
        row_tiles, threads_,
        [&](std::size_t tile) {
          for (std::size_t k = 0; k < depth_; k += size_) {
            kernels_.pack_rows({height(tile), depth_from(k), factors + tile * size_, pivot + k},
                               floor_, factors_of(tile, k));
          }
        },
        1);
    parallel_for(
        row_tiles * tiles.count, threads_,
        [&](std::size_t t) {
          const std::size_t row_tile = t / tiles.count;
          const std::size_t column_tile = tiles.first + t % tiles.count;
          for (std::size_t k = 0; k < depth_; k += size_) {
            kernels_.relax(semiring_, {.m = height(row_tile),
                                       .n = width(column_tile),
                                       .depth = depth_from(k),
                                       .a = factors_of(row_tile, k),
                                       .b = strips_of(column_tile, k),
                                       .c = rows + row_tile * size_,
                                       .column = column_tile * tile_columns_});
          }
        },
        1);
  }

  const S& semiring_;
  const tile_kernels<S>& kernels_;
  std::size_t columns_;
  T zero_;
  T floor_;
  int threads_;
  std::size_t
      size_;  ///< Rows of a tile, and the most rows of the panel that a tile passes at once.
  std::size_t tile_columns_;
  std::size_t column_tiles_;
  std::size_t depth_ = 0;
  untouched_buffer<T> factors_;  ///< row tiles x depth x height
  untouched_buffer<T> strips_;   ///< column tiles x depth x width
};

}  // namespace apsp::inline v1::detail::host
