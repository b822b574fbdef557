// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/step_notes.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"

// The schedule of Floyd–Warshall under `cuda_tiled`. A step closes a block of pivots, which is one
// or several pivot tiles, and relaxes all other tiles over the block with one product.
//
// `Entries` says how a matrix stores entries and how tiles are closed and copied: `plain_entries`,
// or two distances in one word. `Panels` says which operands the products of a step have:
// `row_panels`, `symmetric_panels`, or `recorded_panels`.
namespace apsp::inline v1::detail::cuda {

/// Consecutive pivot tiles.
struct pivot_block {
  int begin = 0;
  int count = 0;
};

/// The blocks of pivots of a matrix of `num_tiles` x `num_tiles` tiles.
struct pivot_blocks {
  int num_tiles;
  int tiles_per_block;

  pivot_block from(int begin) const {
    return {begin, std::min(tiles_per_block, num_tiles - begin)};
  }
  std::size_t number_of(const pivot_block& block) const {
    return static_cast<std::size_t>(block.begin / tiles_per_block);
  }
};

/// Rows of a matrix that are together in memory: consecutive tiles of them.
struct row_range {
  int begin;
  int count;

  bool contains(const pivot_block& block) const {
    return block.count != 0 && block.begin >= begin && block.begin < begin + count;
  }
};

/// Tiles of a matrix, counted in rows or columns of a product's tiles.
struct tile_counts {
  int num_tiles;
  int rows_per_tile;
  int columns_per_tile;

  tile_lines rows_from(int begin, int count) const {
    return lines_from(begin * rows_per_tile, count * rows_per_tile);
  }
  tile_lines columns_from(int begin, int count) const {
    return lines_from(begin * columns_per_tile, count * columns_per_tile);
  }
  tile_lines all_columns() const { return columns_from(0, num_tiles); }
  tile_lines rows_except(int begin, int count) const {
    return lines_except(num_tiles * rows_per_tile, begin * rows_per_tile, count * rows_per_tile);
  }
  tile_lines columns_except(int begin, int count) const {
    return lines_except(num_tiles * columns_per_tile, begin * columns_per_tile,
                        count * columns_per_tile);
  }
  /// The tiles on and above the diagonal.
  tile_grid triangle_except(int begin, int count) const {
    return triangle_of(lines_except(num_tiles, begin, count), rows_per_tile, columns_per_tile);
  }
};

/// @tparam Tuning  of the product.
template <class Entries, class Tuning>
tile_counts tiles_of(int num_tiles) {
  constexpr product_shape product = Tuning::shape.product;
  static_assert(Entries::tile % product.rows == 0 && Entries::tile_words % product.columns == 0);
  return {num_tiles, Entries::tile / product.rows, Entries::tile_words / product.columns};
}

/// A left operand of products.
template <class Word>
struct left_operand {
  const Word* words;
  std::size_t pitch;
};

/// The matrix, or rows of it, that panels are part of.
template <class Word>
struct panel_matrix {
  Word* words;                           ///< The first entry.
  std::int32_t* predecessors = nullptr;  ///< Null, or with the same pitch.
  std::size_t pitch;                     ///< Of the rows.
  std::size_t extent;                    ///< Of the whole matrix.
};

/// The blocks of pivots that a matrix is relaxed over, from the one that begins with tile `first`
/// on.
struct block_schedule {
  pivot_blocks blocks;
  std::size_t tile_size;
  std::size_t num_vertices;
  int first = 0;
};

/// Relaxes a matrix over its blocks of pivots.
///
/// While all other tiles are relaxed over one block, the tiles that the next block needs are
/// relaxed first, and the next block is closed, on a stream of higher priority: that is a chain of
/// short kernels, which alone would leave most of the device idle. `Panels` has
///
/// - `close(block, stream)`: makes the operands of the products over a block final;
/// - `copy_operands(block)`, on the call's stream: copies operands that are not relaxed in place;
/// - `relax_next(block, next, stream)`: relaxes the tiles that `close(next)` reads;
/// - `relax_others(block, next)`, on the call's stream: relaxes all other tiles. It neither reads
///   nor writes what `close(next)` writes;
/// - `finish()`, on the call's stream: what is left to do after the last block.
///
/// @return false if the monitor of the call requested a stop.
template <class Panels>
bool relax_over_blocks(Panels& panels, const block_schedule& schedule, side_stream& ahead,
                       cudaStream_t stream, device_progress& progress) {
  const pivot_blocks& blocks = schedule.blocks;
  const std::size_t tile_size = schedule.tile_size;
  pivot_block block = blocks.from(schedule.first);
  panels.close(block, stream);
  panels.copy_operands(block);
  for (;;) {
    const pivot_block next = blocks.from(block.begin + block.count);
    if (next.count == 0) break;
    ahead.wait_for_main();
    panels.relax_next(block, next, ahead.get());
    panels.relax_others(block, next);
    panels.close(next, ahead.get());
    ahead.let_main_wait();
    panels.copy_operands(next);
    if (!progress.step(static_cast<std::size_t>(block.count) * tile_size)) return false;
    block = next;
  }
  panels.relax_others(block, {});
  panels.finish();
  const std::size_t done = static_cast<std::size_t>(block.begin) * tile_size;
  return progress.step(schedule.num_vertices - done) && progress.finish();
}

}  // namespace apsp::inline v1::detail::cuda
