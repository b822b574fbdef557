// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/side_stream.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/step_notes.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/square_matrix.cuh"
#include "pivot_blocks.cuh"

namespace apsp::inline v1::detail::cuda {

/// Words of memory that `row_panels` need.
/// @param width     words of a row
/// @param receives  true if the rows are not all of the matrix, so that those of pivots are
///                  received
constexpr std::size_t panel_words_of_rows(std::size_t width, std::size_t num_rows,
                                          std::size_t pivots_per_block, bool receives) {
  return pivots_per_block * ((receives ? 3 : 1) * width + 2 * num_rows);
}

/// The operands of `relax_over_blocks` for any matrix, or for some rows of one. The rows of the
/// pivots are made final; all other rows are relaxed over them with one product, whose left operand
/// is a copy of the columns of the pivots as they were before.
///
/// These columns need not be final, since plus is idempotent: if D is the closed diagonal block of
/// the pivots P, the final rows are D (x) C[P], and C[i][P] (x) D (x) C[P] has every path from i
/// that the final columns C[i][P] (x) D would give. The product also makes the columns final.
template <class Entries>
class row_panels {
 public:
  using entries_type = Entries;
  using word = typename Entries::word;
  static constexpr bool are_symmetric = false;

  /// @param memory  of `words` words.
  row_panels(const Entries& entries, const panel_matrix<word>& matrix, const pivot_blocks& blocks,
             word* memory, cudaStream_t stream)
      : row_panels(entries, matrix, blocks, {0, blocks.num_tiles}, memory, stream) {}
  /// For the rows @p held of a matrix, of which @p matrix has the first. A block of pivots is among
  /// them entirely or not at all. The rows of other blocks are to be copied to `received_rows`.
  row_panels(const Entries& entries, const panel_matrix<word>& matrix, const pivot_blocks& blocks,
             const row_range& held, word* memory, cudaStream_t stream)
      : entries_(entries),
        words_(matrix.words),
        predecessors_(matrix.predecessors),
        pitch_(matrix.pitch),
        width_(matrix.extent / Entries::tile * Entries::tile_words),
        blocks_(blocks),
        held_(held),
        tiles_(tiles_of<Entries, typename Entries::tuning>(blocks.num_tiles)),
        chain_tiles_(tiles_of<Entries, typename Entries::chain>(blocks.num_tiles)),
        stream_(stream) {
    const auto pivots = static_cast<std::size_t>(blocks.tiles_per_block) * Entries::tile;
    old_rows_ = memory;
    columns_[0] = old_rows_ + pivots * width_;
    columns_[1] = columns_[0] + num_rows() * pivots;
    received_[0] = columns_[1] + num_rows() * pivots;
    received_[1] = received_[0] + pivots * width_;
  }

  /// If there is a use for rows before the others are final: the rows before the last pivots are
  /// relaxed over these at the end, strip by strip, and given to @p when_final, and then the rows
  /// of the last pivots. An observed call has no strips, since a step tells over how many pivots
  /// all rows have been relaxed.
  /// @param when_final  may be null.
  void relax_in_strips(const final_rows* when_final, std::size_t num_vertices,
                       const device_progress& progress) {
    if (when_final == nullptr || num_vertices < row_strips.fewest_vertices ||
        progress.is_observed()) {
      return;
    }
    when_final_ = when_final;
    last_pivots_ = first_of_last_pivots(num_vertices, Entries::tile, tiles_.num_tiles,
                                        blocks_.tiles_per_block);
    beside_.emplace(stream_, stream_priority::ordinary);
  }

  static std::size_t words(const pivot_blocks& blocks, const row_range& held) {
    return panel_words_of_rows(static_cast<std::size_t>(blocks.num_tiles) * Entries::tile_words,
                               static_cast<std::size_t>(held.count) * Entries::tile,
                               static_cast<std::size_t>(blocks.tiles_per_block) * Entries::tile,
                               held.count != blocks.num_tiles);
  }

  /// Where the final rows of a block that is not held are to be stored, with a pitch of `width`
  /// words. They are read until the rows held have been relaxed over the block.
  word* received_rows(const pivot_block& block) const {
    return received_[blocks_.number_of(block) % 2];
  }
  std::size_t width() const { return width_; }
  /// The rows of a block that is held.
  word* held_rows(const pivot_block& block) const { return row_at(block.begin); }
  /// The same with a pitch of `width` words: a copy in `received_rows`, if the matrix has another
  /// pitch and some rows of it are not held.
  word* packed_rows(const pivot_block& block, cudaStream_t on) const {
    word* const rows = held_rows(block);
    if (pitch_ == width_ || held_.count == tiles_.num_tiles) return rows;
    word* const packed = received_rows(block);
    const std::size_t row_bytes = width_ * sizeof(word);
    APSP_CUDA_CHECK(cudaMemcpy2DAsync(packed, row_bytes, rows, pitch_ * sizeof(word), row_bytes,
                                      depth_of(block), cudaMemcpyDeviceToDevice, on));
    return packed;
  }

  void close(const pivot_block& block, cudaStream_t on) {
    const std::size_t depth = depth_of(block);
    word* const rows = row_at(block.begin);
    std::int32_t* const notes =
        predecessors_ == nullptr ? nullptr : predecessors_ + (rows - words_);
    if (block.count != tiles_.num_tiles) {
      entries_.copy({rows, pitch_, old_rows_, width_, depth, width_}, {}, on);
    }
    const left_operand<word> closed = entries_.close_block(
        rows + words_before(block), pitch_, depth,
        notes == nullptr ? nullptr : notes + words_before(block), note_of(block), on);
    if (block.count == tiles_.num_tiles) return;
    product_pair<word> products;
    products.first.grid = {chain_tiles_.rows_from(0, block.count),
                           chain_tiles_.columns_except(block.begin, block.count)};
    products.first.a = closed.words;
    products.first.a_pitch = closed.pitch;
    products.first.b = old_rows_;
    products.first.b_pitch = width_;
    products.first.c = rows;
    products.first.c_pitch = pitch_;
    products.first.predecessors_c = notes;
    products.first.note = note_of(block);
    entries_.relax_in_chain(products, depth, on);
  }

  void copy_operands(const pivot_block& block) {
    if (block.count == tiles_.num_tiles) return;
    entries_.copy({},
                  {words_ + words_before(block), pitch_, columns_of(block), depth_of(block),
                   num_rows(), static_cast<std::size_t>(block.count) * Entries::tile_words},
                  stream_);
    entries_.use_operands(over(block, {}).first, num_rows(), block.begin, stream_);
  }

  void relax_next(const pivot_block& block, const pivot_block& next, cudaStream_t on) {
    const int first = first_row_of(block);
    entries_.relax_in_chain(over(block, {chain_tiles_.rows_from(next.begin - first, next.count),
                                         chain_tiles_.all_columns()}),
                            depth_of(block), on);
  }
  void relax_others(const pivot_block& block, const pivot_block& next) {
    const int first = first_row_of(block);
    tile_counts tiles = tiles_;
    tiles.num_tiles = held_.begin + held_.count - first;
    // The next block follows this one.
    const bool holds_block = held_.contains(block);
    const int except = (holds_block ? block.count : 0) + (held_.contains(next) ? next.count : 0);
    const int begin = holds_block ? block.begin : next.begin;
    entries_.relax(over(block, {tiles.rows_except(except == 0 ? 0 : begin - first, except),
                                tiles_.all_columns()}),
                   depth_of(block), block.begin, stream_);
  }
  void finish() {
    if (when_final_ != nullptr) relax_strips();
  }

 private:
  /// Strips alternate between two streams, since the last CUDA blocks of a product do not fill a
  /// device.
  void relax_strips() {
    const int num_pivots = tiles_.num_tiles - last_pivots_;
    const pivot_block last{last_pivots_, num_pivots};
    // No more than fit into `columns_`.
    const int rows_at_once = std::min((last_pivots_ - 1) / static_cast<int>(row_strips.strips) + 1,
                                      tiles_.num_tiles * blocks_.tiles_per_block / num_pivots);
    beside_->wait_for_main();
    bool is_beside = false;
    for (int row = 0; row < last_pivots_; row += rows_at_once, is_beside = !is_beside) {
      const int count = std::min(rows_at_once, last_pivots_ - row);
      const cudaStream_t on = is_beside ? beside_->get() : stream_;
      word* const columns = columns_[is_beside ? 1 : 0];
      word* const rows = row_at(row);
      const std::size_t num_rows = static_cast<std::size_t>(count) * Entries::tile;
      entries_.copy({},
                    {rows + words_before(last), pitch_, columns, depth_of(last), num_rows,
                     static_cast<std::size_t>(num_pivots) * Entries::tile_words},
                    on);
      entries_.relax(over(last, columns, rows, {tiles_.rows_from(0, count), tiles_.all_columns()}),
                     depth_of(last), last.begin, on);
      (*when_final_)(static_cast<std::size_t>(row) * Entries::tile, num_rows, on);
    }
    beside_->let_main_wait();
    (*when_final_)(first_of(last), depth_of(last), stream_);
  }

  /// The tile with the first row that is relaxed over the block now; strips before it follow at the
  /// end.
  int first_row_of(const pivot_block& block) const {
    return when_final_ != nullptr && block.begin >= last_pivots_ ? last_pivots_ : held_.begin;
  }
  word* row_at(int tile) const {
    return words_ + static_cast<std::size_t>(tile - held_.begin) * Entries::tile * pitch_;
  }
  std::size_t num_rows() const { return static_cast<std::size_t>(held_.count) * Entries::tile; }

  static std::size_t first_of(const pivot_block& block) {
    return static_cast<std::size_t>(block.begin) * Entries::tile;
  }
  static std::size_t depth_of(const pivot_block& block) {
    return static_cast<std::size_t>(block.count) * Entries::tile;
  }
  static std::size_t words_before(const pivot_block& block) {
    return static_cast<std::size_t>(block.begin) * Entries::tile_words;
  }
  /// Tunings that note steps have blocks of one tile.
  static std::int32_t note_of(const pivot_block& block) { return code_of(block.begin); }

  word* columns_of(const pivot_block& block) const {
    return columns_[blocks_.number_of(block) % 2];
  }

  /// @param grid  rows count from `first_row_of` the block.
  product_pair<word> over(const pivot_block& block, const tile_grid& grid) const {
    const int first = first_row_of(block);
    const auto skipped = static_cast<std::size_t>(first - held_.begin) * Entries::tile;
    return over(block, columns_of(block) + skipped * depth_of(block), row_at(first), grid);
  }
  /// @param columns  the old columns of the pivots in the rows that begin at @p rows.
  product_pair<word> over(const pivot_block& block, const word* columns, word* rows,
                          const tile_grid& grid) const {
    product_pair<word> products;
    products.first.grid = grid;
    products.first.a = columns;
    products.first.a_pitch = depth_of(block);
    const bool is_held = held_.contains(block);
    products.first.b = is_held ? row_at(block.begin) : received_rows(block);
    products.first.b_pitch = is_held ? pitch_ : width_;
    products.first.c = rows;
    products.first.c_pitch = pitch_;
    products.first.predecessors_c = predecessors_;
    products.first.note = note_of(block);
    return products;
  }

  const Entries& entries_;
  word* words_;  ///< the rows held
  std::int32_t* predecessors_;
  std::size_t pitch_;
  std::size_t width_;  ///< words of a padded row
  pivot_blocks blocks_;
  row_range held_;
  tile_counts tiles_;
  tile_counts chain_tiles_;
  cudaStream_t stream_;
  word* old_rows_;  ///< pivots of a block x width: the right operand of the product of `close`
  /// Each rows held x pivots of a block. One is copied while the chain still reads the other.
  std::array<word*, 2> columns_;
  std::array<word*, 2> received_;           ///< each pivots of a block x width
  const final_rows* when_final_ = nullptr;  ///< null unless rows are relaxed in strips
  int last_pivots_ = 0;                     ///< their first tile
  std::optional<side_stream> beside_;
};

}  // namespace apsp::inline v1::detail::cuda
