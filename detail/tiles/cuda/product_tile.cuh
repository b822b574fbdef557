// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../../device/warp.hpp"
#include "product_copies.cuh"
#include "product_epilogues.cuh"
#include "product_layout.cuh"
#include "product_loops.cuh"
#include "product_operands.cuh"
#include "tile_shape.hpp"

namespace apsp::inline v1::detail::cuda {

/// Relaxes the entries of the thread over all stages, in the loop that is best for the algebra.
template <class Layout, class Algebra>
__device__ __forceinline__ void relax_stages(const Algebra& algebra, product_copies<Layout>& copies,
                                             operand_stages<typename Layout::value_type> stages,
                                             tile_position position,
                                             thread_entries<Layout>& entries) {
  [[maybe_unused]] bool many_improve = false;
  for (int step = 0; step < copies.num_steps(); ++step) {
    const stage_operands<Layout> operands(stages, position, copies.wait(step));
    if constexpr (Algebra::tested_rows > 0) {
      if (step % stages_per_trial == 0 || !many_improve) {
        many_improve = relax_stage_with_tests(algebra, operands, entries);
        copies.release();
        continue;
      }
    }
    relax_stage(algebra, operands, entries);
    copies.release();
  }
}

/// With @p Record it stores predecessors; with a tuning that notes steps it stores notes. With
/// @p Clamp it raises entries to the floor, since they will be operands.
template <class Algebra, class Tuning, bool Record, bool Clamp>
__device__ __forceinline__ void multiply_tile(
    const Algebra& algebra, const product_operands<typename Algebra::value_type>& operands,
    int tile, int extent, typename Algebra::value_type floor) {
  using T = typename Algebra::value_type;
  using layout = product_layout<T, Tuning>;
  constexpr product_shape shape = layout::shape;

  extern __shared__ __align__(vector_bytes) unsigned char shared_memory[];
  T* const shared = reinterpret_cast<T*>(shared_memory);
  const operand_stages<T> stages{shared, shared + layout::b_begin};

  const upper_place place = operands.grid.place_of(tile);
  const std::size_t tile_row = static_cast<std::size_t>(place.row) * shape.rows;
  const std::size_t tile_column = static_cast<std::size_t>(place.column) * shape.columns;
  product_copies<layout> copies(operands, tile_row, tile_column, extent, stages);
  copies.start();

  const tile_position position = position_of_thread<layout>(static_cast<int>(threadIdx.x));
  const std::size_t first_row = tile_row + static_cast<std::size_t>(position.row);
  const std::size_t first_column = tile_column + static_cast<std::size_t>(position.column);
  const std::size_t c_offset = first_row * operands.c_pitch + first_column;
  T* const c = operands.c + c_offset;
  thread_entries<layout> entries;
  entries.load(c, operands.c_pitch);

  if constexpr (Record) {
    best_ks<layout, Algebra> best;
    for (int step = 0; step < copies.num_steps(); ++step) {
      const stage_operands<layout> stage(stages, position, copies.wait(step));
      relax_stage_recording(algebra, stage, step * shape.depth, entries, best);
      copies.release();
    }
    store_entries<Clamp>(algebra, entries, c, operands.c_pitch, floor);
    store_predecessors(algebra, entries, best, operands, first_row, first_column);
  } else {
    relax_stages(algebra, copies, stages, position, entries);
    if constexpr (Tuning::notes_steps) {
      store_entries_and_notes<Clamp>(
          algebra, entries,
          {c, operands.predecessors_c + c_offset, operands.c_pitch, operands.note}, floor);
    } else {
      store_entries<Clamp>(algebra, entries, c, operands.c_pitch, floor);
    }
  }
}

/// One CUDA block per tile of C. @p extent, the number of columns of A, is a multiple of the
/// shape's depth.
/// @param needed  null, or a word that is zero if there is nothing to do.
template <class Algebra, class Tuning, bool Record, bool Clamp>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape.product),
                                  Tuning::shape.product.blocks_per_multiprocessor)
    product_kernel(const Algebra algebra,
                   const __grid_constant__ product_pair<typename Algebra::value_type> operands,
                   int extent, typename Algebra::value_type floor, const int* needed) {
  if (needed != nullptr && *needed == 0) return;
  const int tile = static_cast<int>(blockIdx.x);
  const int tiles_before = operands.first.grid.size();
  const bool in_first = tile < tiles_before;
  multiply_tile<Algebra, Tuning, Record, Clamp>(
      algebra, in_first ? operands.first : operands.second, in_first ? tile : tile - tiles_before,
      extent, floor);
}

}  // namespace apsp::inline v1::detail::cuda
