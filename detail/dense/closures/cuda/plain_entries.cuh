// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../device/check.cuh"
#include "../../../tiles/cuda/operand_copy.cuh"
#include "../../../tiles/cuda/pivot_tile.cuh"
#include "../../../tiles/cuda/product_filter.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../../tiles/cuda/product_operands.cuh"
#include "../../../tiles/cuda/step_notes.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "cooperative_floyd_warshall.cuh"
#include "pivot_blocks.cuh"

namespace apsp::inline v1::detail::cuda {

/// Copies a right and a left operand of products, with all entries raised to the floor.
template <class Algebra, class T = typename Algebra::value_type>
__global__ void copy_operands_kernel(const Algebra algebra, word_rectangle<T> right,
                                     word_rectangle<T> left, T floor) {
  for_each_vector(blockIdx.z == 0 ? right : left, 1, [&](vector_of<T> values, T* to) {
#pragma unroll
    for (int e = 0; e < vector_of<T>::size; ++e) {
      values.values[e] = algebra.clamped(values.values[e], floor);
    }
    *reinterpret_cast<vector_of<T>*>(to) = values;
  });
}

/// Words of memory that `plain_entries` need for blocks of @p num_pivots.
template <class Tuning>
constexpr std::size_t entry_scratch_words(std::size_t num_pivots) {
  return 2 * num_pivots * static_cast<std::size_t>(Tuning::chain::shape.pivot.tile_size);
}

/// The entries of a matrix of weights, one in a word.
template <class Algebra, class Tuning>
class plain_entries {
 public:
  using word = typename Algebra::value_type;
  using tuning = Tuning;
  using chain = typename Tuning::chain;
  static constexpr int tile = tile_size(Tuning::shape);
  static constexpr int tile_words = tile;

  /// Words of memory for blocks of @p num_pivots.
  static std::size_t scratch_words(std::size_t num_pivots) {
    return entry_scratch_words<Tuning>(num_pivots);
  }

  /// @param scratch  memory of `scratch_words` for the largest block.
  /// @param filter   null, or what decides which entries `relax` computes.
  plain_entries(const Algebra& algebra, word floor, word* scratch, product_filter<word>* filter)
      : algebra_(algebra), floor_(floor), scratch_(scratch), filter_(filter) {
    if constexpr (has_one_kernel) {
      closing_blocks_ = resident_blocks_of_one_kernel<Algebra, one_kernel_tuning>();
    }
  }

  const Algebra& algebra() const { return algebra_; }
  word floor() const { return floor_; }

  /// Makes the diagonal block of @p num_pivots rows and columns at @p first final over its pivots.
  /// @param predecessors  used, with @p note, by tunings that note steps.
  /// @return the block as a left operand.
  left_operand<word> close_block(word* first, std::size_t pitch, std::size_t num_pivots,
                                 std::int32_t* predecessors, std::int32_t note,
                                 cudaStream_t on) const {
    if constexpr (has_one_kernel) {
      if (closing_blocks_ > 0) {
        close_in_one_kernel<one_kernel_tuning>(algebra_,
                                               matrix_entries<word>{first, predecessors, pitch},
                                               num_pivots, note, floor_, {closing_blocks_, on});
        return {first, pitch};
      }
    }
    close_in_steps(first, pitch, num_pivots, predecessors, note, on);
    return {first, pitch};
  }

  /// Copies operands of products, which are then at least the floor. A rectangle may be empty.
  void copy(const word_rectangle<word>& right, const word_rectangle<word>& left,
            cudaStream_t on) const {
    launch("copy_operands_kernel", shape_of_copy(right, left, on), copy_operands_kernel<Algebra>,
           algebra_, right, left, floor_);
  }

  /// To be called when both operands of the products over a block are final, before `relax`.
  /// @param begin  the first tile of the block.
  void use_operands(const product_operands<word>& operands, std::size_t num_vertices, int begin,
                    cudaStream_t on) const {
    if constexpr (may_filter) {
      if (filter_ != nullptr) filter_->bound_operands(operands, num_vertices, begin, on);
    }
  }
  void relax(const product_pair<word>& products, std::size_t depth, int begin,
             cudaStream_t on) const {
    if constexpr (may_filter) {
      if (filter_ != nullptr) {
        return filter_->template relax<Tuning>(algebra_, products.first, begin, floor_, on);
      }
    }
    launch_products<Tuning, clamps_all>(algebra_, products, static_cast<int>(depth), floor_, on);
  }
  /// The same with kernels that end soon. Entries are raised to the floor, since they are operands.
  void relax_in_chain(const product_pair<word>& products, std::size_t depth,
                      cudaStream_t on) const {
    launch_products<chain, true>(algebra_, products, static_cast<int>(depth), floor_, on);
  }

  /// For symmetric matrices: copies the panel of the pivots from the matrix, and back.
  void gather(const word* matrix, const panel_place& place, const symmetric_panel<word>& panel,
              cudaStream_t on) const {
    launch("gather_panel_kernel", shape_of_panel(place, on), gather_panel_kernel<word>, matrix,
           place, panel);
  }
  void scatter(word* matrix, const panel_place& place, const symmetric_panel<word>& panel,
               cudaStream_t on) const {
    launch("scatter_panel_kernel", shape_of_panel(place, on), scatter_panel_kernel<word>, matrix,
           place, panel);
  }

  /// Copies the tiles above the diagonal to those below it.
  static void mirror(const device_workspace& space, word* matrix, std::size_t pitch,
                     std::size_t num_vertices) {
    mirror_entries(space, matrix, pitch, num_vertices);
  }

 private:
  static constexpr bool may_filter = has_product_filter<Algebra> && !Tuning::records;
  static constexpr int pivot_tile = chain::shape.pivot.tile_size;
  static constexpr bool has_one_kernel = sizeof(word) == sizeof(float) && !Tuning::records;
  using one_kernel_tuning =
      std::conditional_t<Tuning::notes_steps, with_step_notes<cooperative_tuning<word>>,
                         cooperative_tuning<word>>;
  /// One kernel serves both kinds of products if their shapes are the same.
  static constexpr bool clamps_all = std::is_same_v<Tuning, chain> && !Tuning::records;

  static launch_shape shape_of_panel(const panel_place& place, cudaStream_t on) {
    static_assert(tile % transpose_width == 0);
    return {dim3(static_cast<unsigned>(place.num_vertices / transpose_width),
                 static_cast<unsigned>(place.num_pivots / transpose_width)),
            transpose_threads, on};
  }

  /// The same pivot tile by pivot tile, with a kernel for every part.
  void close_in_steps(word* block, std::size_t pitch, std::size_t num_pivots,
                      std::int32_t* predecessors, std::int32_t note, cudaStream_t on) const {
    constexpr product_shape product = chain::shape.product;
    const tile_counts tiles{static_cast<int>(num_pivots / pivot_tile), pivot_tile / product.rows,
                            pivot_tile / product.columns};
    word* const old_rows = scratch_;
    word* const columns = scratch_ + num_pivots * pivot_tile;
    const auto notes_at = [&](std::size_t offset) {
      return predecessors == nullptr ? nullptr : predecessors + offset;
    };
    for (int step = 0; step < tiles.num_tiles; ++step) {
      const std::size_t first = static_cast<std::size_t>(step) * pivot_tile;
      const std::size_t rows_offset = first * pitch;
      word* const rows = block + rows_offset;
      launch("pivot_tile_kernel", {1, pivot_threads(chain::shape.pivot), on},
             pivot_tile_kernel<Algebra, chain>, algebra_,
             matrix_entries<word>{rows + first, notes_at(rows_offset + first), pitch}, note,
             floor_);
      if (tiles.num_tiles == 1) return;
      copy({rows, pitch, old_rows, num_pivots, pivot_tile, num_pivots},
           {block + first, pitch, columns, pivot_tile, num_pivots, pivot_tile}, on);
      product_pair<word> products;
      product_operands<word>& operands = products.first;
      operands.grid = {tiles.rows_from(0, 1), tiles.columns_except(step, 1)};
      operands.a = rows + first;
      operands.a_pitch = pitch;
      operands.b = old_rows;
      operands.b_pitch = num_pivots;
      operands.c = rows;
      operands.c_pitch = pitch;
      operands.predecessors_c = notes_at(rows_offset);
      operands.note = note;
      relax_in_chain(products, pivot_tile, on);
      operands.grid = {tiles.rows_except(step, 1), tiles.all_columns()};
      operands.a = columns;
      operands.a_pitch = pivot_tile;
      operands.b = rows;
      operands.b_pitch = pitch;
      operands.c = block;
      operands.predecessors_c = predecessors;
      relax_in_chain(products, pivot_tile, on);
    }
  }

  Algebra algebra_;
  word floor_;
  word* scratch_;
  product_filter<word>* filter_;
  int closing_blocks_ = 0;  ///< that close a block in one kernel; 0 if it takes several
};

}  // namespace apsp::inline v1::detail::cuda
