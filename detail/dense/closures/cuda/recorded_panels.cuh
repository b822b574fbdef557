// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../../../device/check.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/recorded_cross.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/square_matrix.cuh"
#include "pivot_blocks.cuh"

namespace apsp::inline v1::detail::cuda {

/// The operands of `relax_over_blocks` if predecessors are recorded: the history of the rows and
/// columns of a pivot tile. Both are relaxed pivot by pivot. A block is one tile.
template <class Entries>
class recorded_panels {
  using T = typename Entries::word;

 public:
  struct history_memory {
    T* distances;                ///< Of `words` words.
    std::int32_t* predecessors;  ///< Of half as many.
  };

  recorded_panels(const Entries& entries, const square_matrix<T>& matrix, std::size_t extent,
                  const pivot_blocks& blocks, const history_memory& memory, cudaStream_t stream)
      : entries_(entries),
        matrix_(matrix),
        extent_(extent),
        tiles_(tiles_of<Entries, typename Entries::tuning>(blocks.num_tiles)),
        memory_(memory.distances),
        predecessors_(memory.predecessors),
        stream_(stream) {}

  static std::size_t words(std::size_t extent) { return 4 * extent * Entries::tile; }

  void close(const pivot_block& block, cudaStream_t on) {
    using algebra_type = std::remove_cvref_t<decltype(entries_.algebra())>;
    constexpr pivot_shape shape = Entries::tuning::shape.pivot;
    const std::size_t pivot = static_cast<std::size_t>(block.begin) * Entries::tile;
    const pivot_history<T> history = history_of(block);
    const matrix_entries<T> entries{matrix_.distances, matrix_.predecessors, matrix_.pitch};
    launch("ordered_pivot_tile_kernel", {1, pivot_threads(shape), on},
           ordered_pivot_tile_kernel<algebra_type, typename Entries::tuning>, entries_.algebra(),
           entries, pivot, history, entries_.floor());
    if (tiles_.num_tiles == 1) return;
    const int blocks = 2 * (tiles_.num_tiles - 1) * (Entries::tile / shape.panel_width);
    launch("ordered_panels_kernel", {static_cast<unsigned>(blocks), panel_threads(shape), on},
           ordered_panels_kernel<algebra_type, typename Entries::tuning>, entries_.algebra(),
           entries, pivot, history, entries_.floor());
  }

  void copy_operands(const pivot_block&) {}

  void relax_next(const pivot_block& block, const pivot_block& next, cudaStream_t on) {
    relax(block, {tiles_.rows_from(next.begin, 1), tiles_.columns_except(block.begin, 1)},
          {tiles_.rows_except(block.begin, 2), tiles_.columns_from(next.begin, 1)}, on);
  }
  void relax_others(const pivot_block& block, const pivot_block& next) {
    const int count = block.count + next.count;
    relax(block,
          {tiles_.rows_except(block.begin, count), tiles_.columns_except(block.begin, count)}, {},
          stream_);
  }
  void finish() {}

 private:
  /// The products over a block read its history while that of the next block is written.
  pivot_history<T> history_of(const pivot_block& block) const {
    const std::size_t panel = extent_ * Entries::tile;
    const std::size_t begin = static_cast<std::size_t>(block.begin % 2) * panel;
    return {memory_ + begin, predecessors_ + begin, memory_ + 2 * panel + begin};
  }

  void relax(const pivot_block& block, const tile_grid& first, const tile_grid& second,
             cudaStream_t on) {
    const pivot_history<T> history = history_of(block);
    product_operands<T> operands;
    operands.a = history.columns;
    operands.a_pitch = Entries::tile;
    operands.b = history.rows;
    operands.b_pitch = extent_;
    operands.c = matrix_.distances;
    operands.c_pitch = matrix_.pitch;
    operands.predecessors_b = history.row_predecessors;
    operands.predecessors_c = matrix_.predecessors;
    product_pair<T> products{operands, operands};
    products.first.grid = first;
    products.second.grid = second;
    entries_.relax(products, Entries::tile, block.begin, on);
  }

  const Entries& entries_;
  square_matrix<T> matrix_;
  std::size_t extent_;
  tile_counts tiles_;
  T* memory_;  ///< two row panels, then two column panels
  std::int32_t* predecessors_;
  cudaStream_t stream_;
};

}  // namespace apsp::inline v1::detail::cuda
