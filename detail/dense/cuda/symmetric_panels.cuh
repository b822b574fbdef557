// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "../../device/workspace.cuh"
#include "pivot_blocks.cuh"
#include "product_operands.cuh"
#include "symmetric_matrix.cuh"

namespace apsp::detail::cuda {

/// The operands of `relax_over_blocks` for a matrix that equals its transpose, of which only the
/// tiles on and above the diagonal are relaxed. The panel of the pivots is one array, gathered from
/// the rows right of their diagonal block and from the columns above it, and is both operands.
template <class Entries>
class symmetric_panels {
  using word = typename Entries::word;

 public:
  /// @param memory  of `words` words.
  symmetric_panels(const Entries& entries, word* matrix, std::size_t pitch, std::size_t extent,
                   const pivot_blocks& blocks, word* memory, const device_workspace& space)
      : entries_(entries),
        matrix_(matrix),
        pitch_(pitch),
        width_(extent / Entries::tile * Entries::tile_words),
        blocks_(blocks),
        tiles_(tiles_of<Entries, typename Entries::tuning>(blocks.num_tiles)),
        chain_tiles_(tiles_of<Entries, typename Entries::chain>(blocks.num_tiles)),
        space_(space) {
    const auto pivots = static_cast<std::size_t>(blocks.tiles_per_block) * Entries::tile;
    word* const before = memory;
    memory += pivots * width_;
    for (symmetric_panel<word>& panel : panels_) {
      panel.before = before;
      panel.rows = memory;
      panel.columns = memory + pivots * width_;
      panel.pitch = width_;
      memory = panel.columns + extent * pivots;
    }
  }

  static std::size_t words(std::size_t extent, std::size_t tiles_per_block) {
    const std::size_t lines = extent / Entries::tile * tiles_per_block * Entries::tile;
    return lines * (3 * Entries::tile_words + 2 * Entries::tile);
  }

  /// One product relaxes both halves of the cross.
  void close(const pivot_block& block, cudaStream_t on) {
    const symmetric_panel<word>& panel = panel_of(block);
    const panel_place place = place_of(block);
    entries_.gather(matrix_, place, panel, on);
    const left_operand<word> closed = entries_.close_block(
        panel.rows + static_cast<std::size_t>(block.begin) * Entries::tile_words, width_,
        place.num_pivots, nullptr, 0, on);
    product_pair<word> products;
    products.first.grid = {chain_tiles_.rows_from(0, block.count),
                           chain_tiles_.columns_except(block.begin, block.count)};
    products.first.a = closed.words;
    products.first.a_pitch = closed.pitch;
    products.first.b = panel.before;
    products.first.b_pitch = width_;
    products.first.c = panel.rows;
    products.first.c_pitch = width_;
    entries_.relax_in_chain(products, place.num_pivots, on);
    entries_.scatter(matrix_, place, panel, on);
  }

  void copy_operands(const pivot_block& block) {
    entries_.use_operands(over(block, {}, {}).first, place_of(block).num_vertices, block.begin,
                          space_.stream.get());
  }

  void relax_next(const pivot_block& block, const pivot_block& next, cudaStream_t on) {
    const tile_counts& tiles = chain_tiles_;
    entries_.relax_in_chain(
        over(block,
             {tiles.rows_from(next.begin, next.count),
              tiles.columns_from(next.begin, tiles.num_tiles - next.begin)},
             {tiles.rows_from(0, block.begin), tiles.columns_from(next.begin, next.count)}),
        place_of(block).num_pivots, on);
  }
  void relax_others(const pivot_block& block, const pivot_block& next) {
    entries_.relax(over(block, tiles_.triangle_except(block.begin, block.count + next.count), {}),
                   place_of(block).num_pivots, block.begin, space_.stream.get());
  }
  void finish() {
    entries_.mirror(space_, matrix_, pitch_,
                    static_cast<std::size_t>(tiles_.num_tiles) * Entries::tile);
  }

 private:
  panel_place place_of(const pivot_block& block) const {
    const std::size_t extent = static_cast<std::size_t>(tiles_.num_tiles) * Entries::tile;
    return {pitch_,
            extent,
            extent,
            static_cast<std::size_t>(block.begin) * Entries::tile,
            static_cast<std::size_t>(block.count) * Entries::tile,
            Entries::tile};
  }
  /// The products over a block read its panel while that of the next block is written.
  const symmetric_panel<word>& panel_of(const pivot_block& block) const {
    return panels_[blocks_.number_of(block) % 2];
  }

  product_pair<word> over(const pivot_block& block, const tile_grid& first,
                          const tile_grid& second) const {
    const symmetric_panel<word>& panel = panel_of(block);
    product_operands<word> operands;
    operands.a = panel.columns;
    operands.a_pitch = place_of(block).num_pivots;
    operands.b = panel.rows;
    operands.b_pitch = width_;
    operands.c = matrix_;
    operands.c_pitch = pitch_;
    product_pair<word> products{operands, operands};
    products.first.grid = first;
    products.second.grid = second;
    return products;
  }

  const Entries& entries_;
  word* matrix_;
  std::size_t pitch_;
  std::size_t width_;  ///< words of a padded row
  pivot_blocks blocks_;
  tile_counts tiles_;
  tile_counts chain_tiles_;
  const device_workspace& space_;
  std::array<symmetric_panel<word>, 2> panels_;
};

}  // namespace apsp::detail::cuda
