// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "../../../device/check.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "pivot_blocks.cuh"

namespace apsp::inline v1::detail::cuda {

/// The operands of `relax_over_blocks` for a matrix that equals its transpose, of which only the
/// tiles on and above the diagonal are relaxed, and of `parts_relaxation` for some rows of one,
/// which are held from the column of their first vertex on. The panel of the pivots is one array,
/// gathered from the rows right of their diagonal block and from the columns above it, and is both
/// operands.
///
/// The part that holds the rows of the pivots has the panel from the column of its first vertex on;
/// the parts before have the columns of the pivots, whose transposes are the rest.
template <class Entries>
class symmetric_panels {
 public:
  using entries_type = Entries;
  using word = typename Entries::word;
  static constexpr bool are_symmetric = true;

  /// @param memory  of `words` words.
  symmetric_panels(const Entries& entries, const panel_matrix<word>& matrix,
                   const pivot_blocks& blocks, word* memory, const device_workspace& space)
      : symmetric_panels(entries, matrix, blocks, {0, blocks.num_tiles}, memory,
                         space.stream.get()) {
    space_ = &space;
  }
  /// For the rows @p held of a matrix. A block of pivots is among them entirely or not at all.
  /// @param matrix  from the first entry held on
  symmetric_panels(const Entries& entries, const panel_matrix<word>& matrix,
                   const pivot_blocks& blocks, const row_range& held, word* memory,
                   cudaStream_t stream)
      : entries_(entries),
        words_(matrix.words),
        pitch_(matrix.pitch),
        width_(words_of(static_cast<int>(matrix.extent / Entries::tile))),
        blocks_(blocks),
        held_(held),
        stream_(stream) {
    const auto pivots = static_cast<std::size_t>(blocks.tiles_per_block) * Entries::tile;
    before_ = memory;
    memory += pivots * width_;
    if (!is_whole(blocks, held)) {
      transposed_ = memory;
      memory += pivots * words_of(held.count);
    }
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      panels_[i] = memory;
      columns_[i] = panels_[i] + pivots * width_;
      memory = columns_[i] + pivots * num_rows();
    }
  }

  static std::size_t words(const pivot_blocks& blocks, const row_range& held) {
    const std::size_t rows = static_cast<std::size_t>(held.count) * Entries::tile;
    const std::size_t transposed = is_whole(blocks, held) ? 0 : words_of(held.count);
    return static_cast<std::size_t>(blocks.tiles_per_block) * Entries::tile *
           (3 * words_of(blocks.num_tiles) + 2 * rows + transposed);
  }

  /// Words of a row of the panel, which has as many rows as the block has pivots.
  std::size_t width() const { return width_; }
  /// Where the final panel of a block is to be stored, also if it comes from another part.
  word* received_rows(const pivot_block& block) const {
    return panels_[blocks_.number_of(block) % 2];
  }
  /// The panel of a block whose rows are held.
  word* held_rows(const pivot_block& block) const { return received_rows(block); }
  word* packed_rows(const pivot_block& block, cudaStream_t /*on*/) const {
    return held_rows(block);
  }

  /// Columns of pivots, transposed: rows of `width` words without a gap.
  struct transposed_columns {
    word* words;
    std::size_t width;
  };
  /// Those of the pivots of another part, in the rows held.
  transposed_columns gather_columns(const pivot_block& block, cudaStream_t on) const {
    const std::size_t width = words_of(held_.count);
    symmetric_panel<word> panel;
    panel.rows = transposed_;
    panel.pitch = width;
    entries_.gather(words_, place_of(block, num_rows()), panel, on);
    return {transposed_, width};
  }
  /// Where the part that holds the pivots expects the columns of the part that holds @p others; the
  /// rows have a pitch of `width()`. They are read until `close` has ended.
  word* gathered_columns(const row_range& others) const { return before_ + words_of(others.begin); }

  /// To be called when the columns of the pivots have come from the parts before. One product
  /// relaxes both halves of the cross.
  void close(const pivot_block& block, cudaStream_t on) {
    const std::size_t depth = depth_of(block);
    const panel_place place = place_of(block, depth_of({held_.begin, num_tiles() - held_.begin}));
    word* const rows = received_rows(block);
    entries_.gather(words_, place, panel_of(block), on);
    if (held_.begin != 0) {
      const std::size_t pitch_bytes = width_ * sizeof(word);
      APSP_CUDA_CHECK(cudaMemcpy2DAsync(rows, pitch_bytes, before_, pitch_bytes,
                                        words_of(held_.begin) * sizeof(word), depth,
                                        cudaMemcpyDeviceToDevice, on));
    }
    const left_operand<word> closed =
        entries_.close_block(rows + words_of(block.begin), width_, depth, nullptr, 0, on);
    const tile_counts tiles = chain_tiles(num_tiles());
    product_pair<word> products;
    products.first.grid = {tiles.rows_from(0, block.count),
                           tiles.columns_except(block.begin, block.count)};
    products.first.a = closed.words;
    products.first.a_pitch = closed.pitch;
    products.first.b = before_;
    products.first.b_pitch = width_;
    products.first.c = rows;
    products.first.c_pitch = width_;
    entries_.relax_in_chain(products, depth, on);
    entries_.scatter(words_, place, panel_of(block), on);
  }
  /// Takes over the final panel of another part.
  void use_panel(const pivot_block& block, cudaStream_t on) const {
    const bool has_columns = held_.begin < block.begin;
    entries_.scatter(has_columns ? words_ : nullptr, place_of(block, num_rows()), panel_of(block),
                     on);
  }

  void copy_operands(const pivot_block& block) {
    entries_.use_operands(over(block).first, num_rows(), block.begin, stream_);
  }

  /// The tiles of the panel of the next block that are held.
  void relax_next(const pivot_block& block, const pivot_block& next, cudaStream_t on) {
    product_pair<word> products = over(block);
    const tile_counts tiles = chain_tiles(num_tiles() - held_.begin);
    const int first = next.begin - held_.begin;
    if (held_.contains(next)) {
      products.first.grid = {tiles.rows_from(first, next.count),
                             tiles.columns_from(first, tiles.num_tiles - first)};
    }
    // The rows of the block are final.
    const int above = std::clamp(block.begin - held_.begin, 0, held_.count);
    products.second.grid = {tiles.rows_from(0, above), tiles.columns_from(first, next.count)};
    entries_.relax_in_chain(products, depth_of(block), on);
  }
  /// All other tiles on and above the diagonal but those of the block and of the next one.
  void relax_others(const pivot_block& block, const pivot_block& next) {
    const int end = held_.begin + held_.count;
    const int first = block.begin;
    const int last = first + block.count + next.count;
    // The square on the diagonal, and the rectangle on its right.
    const int held_first = std::clamp(first, held_.begin, end) - held_.begin;
    const int held_last = std::clamp(last, held_.begin, end) - held_.begin;
    const int right_first = std::max(first, end) - end;
    const int right_last = std::max(last, end) - end;
    const tile_counts square = tiles_of<Entries, typename Entries::tuning>(held_.count);
    const tile_counts right = tiles_of<Entries, typename Entries::tuning>(num_tiles() - end);
    product_pair<word> products = over(block);
    products.first.grid = square.triangle_except(held_first, held_last - held_first);
    products.second.grid = {square.rows_except(held_first, held_last - held_first),
                            right.columns_except(right_first, right_last - right_first)};
    products.second.b += words_of(held_.count);
    products.second.c += words_of(held_.count);
    entries_.relax(products, depth_of(block), block.begin, stream_);
  }
  /// For all rows: copies the tiles above the diagonal to those below it.
  void finish() { entries_.mirror(*space_, words_, pitch_, num_rows()); }

 private:
  static bool is_whole(const pivot_blocks& blocks, const row_range& held) {
    return held.count == blocks.num_tiles;
  }
  static std::size_t words_of(int tiles) {
    return static_cast<std::size_t>(tiles) * Entries::tile_words;
  }
  static std::size_t depth_of(const pivot_block& block) {
    return static_cast<std::size_t>(block.count) * Entries::tile;
  }
  static tile_counts chain_tiles(int num_tiles) {
    return tiles_of<Entries, typename Entries::chain>(num_tiles);
  }
  int num_tiles() const { return blocks_.num_tiles; }
  std::size_t num_rows() const { return static_cast<std::size_t>(held_.count) * Entries::tile; }

  /// @param num_vertices  of the panel, from the first vertex held on
  panel_place place_of(const pivot_block& block, std::size_t num_vertices) const {
    // No entry is copied from or to pivots before.
    const auto first = static_cast<std::size_t>(std::max(block.begin - held_.begin, 0));
    return {pitch_,          num_vertices, num_rows(), first * Entries::tile,
            depth_of(block), Entries::tile};
  }
  /// From the first vertex held on.
  symmetric_panel<word> panel_of(const pivot_block& block) const {
    symmetric_panel<word> panel;
    panel.before = before_ + words_of(held_.begin);
    panel.rows = received_rows(block) + words_of(held_.begin);
    panel.columns = columns_[blocks_.number_of(block) % 2];
    panel.pitch = width_;
    return panel;
  }
  /// Two products whose C begins with the first entry held.
  product_pair<word> over(const pivot_block& block) const {
    const symmetric_panel<word> panel = panel_of(block);
    product_operands<word> operands;
    operands.a = panel.columns;
    operands.a_pitch = depth_of(block);
    operands.b = panel.rows;
    operands.b_pitch = width_;
    operands.c = words_;
    operands.c_pitch = pitch_;
    return {operands, operands};
  }

  const Entries& entries_;
  word* words_;
  std::size_t pitch_;
  std::size_t width_;
  pivot_blocks blocks_;
  row_range held_;
  cudaStream_t stream_;
  const device_workspace* space_ = nullptr;  ///< null for some rows
  word* before_;  ///< pivots of a block x width: the right operand of the product of `close`
  word* transposed_ = nullptr;  ///< pivots of a block x rows held; null for all rows
  // The products over a block read its panel while that of the next block is written.
  std::array<word*, 2> panels_;   ///< each pivots of a block x width
  std::array<word*, 2> columns_;  ///< each rows held x pivots of a block
};

}  // namespace apsp::inline v1::detail::cuda
