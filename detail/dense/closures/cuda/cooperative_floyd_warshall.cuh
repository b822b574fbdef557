// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../device/workspace.cuh"
#include "../../../tiles/cuda/algebra.cuh"
#include "../../../tiles/cuda/pivot_tile.cuh"
#include "../../../tiles/cuda/product_tile.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../matrix/cuda/square_matrix.cuh"

// Floyd–Warshall of few vertices, or of a block of pivots, in one cooperative kernel. The steps of
// so small a matrix take less time than the launches of their kernels.
namespace apsp::inline v1::detail::cuda {

/// A product's tile is as large as a pivot tile, so that a panel can be relaxed in place: the CUDA
/// block that writes a tile of a panel is the only one that reads it.
template <class T>
struct cooperative_tuning {
  static constexpr bool records = false;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = cooperative_tile_shape;
  using chain = cooperative_tuning;
  static constexpr int tile = tile_size(shape);
  static constexpr int threads = threads_per_block(shape.product);
  static_assert(is_valid(shape) && shape.product.rows == tile && shape.product.columns == tile);
  static_assert(pivot_threads(shape.pivot) == threads);
  // The kernel needs no other shape where there is little shared memory.
  static_assert(with_little_shared_memory(shape.product, sizeof(T)).depth == shape.product.depth);
};

/// Steps `begin` to `end` of a matrix of `num_tiles` x `num_tiles` tiles.
struct tile_steps {
  int num_tiles;
  int begin;
  int end;
};

/// Some steps of a matrix. The pivot tile of the first one is closed by the previous launch, if
/// there is one.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(Tuning::threads, Tuning::shape.product.blocks_per_multiprocessor)
    cooperative_floyd_warshall_kernel(const Algebra algebra,
                                      const __grid_constant__ matrix_entries<T> matrix,
                                      const __grid_constant__ tile_steps steps, std::int32_t note,
                                      T floor) {
  T* const distances = matrix.distances;
  std::int32_t* const predecessors = matrix.predecessors;
  const std::size_t pitch = matrix.pitch;
  const int num_tiles = steps.num_tiles;
  const int begin = steps.begin;
  const int end = steps.end;
  constexpr int tile = Tuning::tile;
  const auto all_blocks = cooperative_groups::this_grid();
  const auto block = static_cast<int>(blockIdx.x);
  const auto num_blocks = static_cast<int>(gridDim.x);

  const auto close_tile = [&](int step) {
    const std::size_t first = static_cast<std::size_t>(step) * tile;
    close_pivot_tile<Algebra, Tuning>(algebra, matrix, first, note, floor);
    __syncthreads();
  };
  // Every entry may be an operand of the next step, so none is below the floor.
  const auto relax = [&](int step, const tile_grid& grid, int number) {
    product_operands<T> operands;
    operands.grid = grid;
    operands.a = distances + static_cast<std::size_t>(step) * tile;
    operands.b = distances + static_cast<std::size_t>(step) * tile * pitch;
    operands.c = distances;
    operands.a_pitch = operands.b_pitch = operands.c_pitch = pitch;
    operands.predecessors_c = predecessors;
    operands.note = note;
    multiply_tile<Algebra, Tuning, false, true>(algebra, operands, number, tile, floor);
    __syncthreads();  // The next tile uses the same shared memory.
  };

  if (begin == 0) {
    if (block == 0) close_tile(0);
    all_blocks.sync();
  }
  const int others = num_tiles - 1;
  for (int step = begin; step < end; ++step) {
    const tile_lines pivot_line = lines_from(step, 1);
    const tile_lines other_lines = lines_except(num_tiles, step, 1);
    for (int number = block; number < 2 * others; number += num_blocks) {
      if (number < others) {
        relax(step, {pivot_line, other_lines}, number);
      } else {
        relax(step, {other_lines, pivot_line}, number - others);
      }
    }
    all_blocks.sync();

    // The first block closes the next pivot tile while the others relax the other tiles.
    const int next = step + 1;
    const bool has_next = next < num_tiles;
    if (has_next && block == 0) {
      relax(step, {lines_from(next, 1), lines_from(next, 1)}, 0);
      close_tile(next);
    }
    const int next_number = has_next ? step * others + step : -1;
    const int reserved = has_next && num_blocks > 1 ? 1 : 0;
    if (block >= reserved) {
      for (int number = block - reserved; number < others * others;
           number += num_blocks - reserved) {
        if (number != next_number) relax(step, {other_lines, other_lines}, number);
      }
    }
    if (next < end) all_blocks.sync();
  }
}

template <class Algebra, class Tuning>
constexpr std::size_t one_kernel_bytes =
    shared_bytes(Tuning::shape.product, sizeof(typename Algebra::value_type));

/// The number of CUDA blocks that the current device runs at the same time; 0 if it cannot run the
/// kernel.
template <class Algebra, class Tuning>
int resident_blocks_of_one_kernel() {
  int device = 0;
  int is_supported = 0;
  int multiprocessors = 0;
  APSP_CUDA_CHECK(cudaGetDevice(&device));
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&is_supported, cudaDevAttrCooperativeLaunch, device));
  APSP_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  if (is_supported == 0) return 0;
  const auto kernel = cooperative_floyd_warshall_kernel<Algebra, Tuning>;
  constexpr std::size_t block_bytes = one_kernel_bytes<Algebra, Tuning>;
  allow_shared_memory(kernel, block_bytes);
  int blocks_per_multiprocessor = 0;
  APSP_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, kernel,
                                                                Tuning::threads, block_bytes));
  return blocks_per_multiprocessor * multiprocessors;
}

/// Enqueues the kernel with its arguments after the algebra.
template <class Tuning, class Algebra, class... Arguments>
void launch_one_kernel(int num_blocks, cudaStream_t on, const Algebra& algebra,
                       const Arguments&... arguments) {
  const auto kernel = cooperative_floyd_warshall_kernel<Algebra, Tuning>;
  constexpr std::size_t block_bytes = one_kernel_bytes<Algebra, Tuning>;
  allow_shared_memory(kernel, block_bytes);  // before every launch, as in `launch_products`
  launch_shape shape{static_cast<unsigned>(num_blocks), static_cast<unsigned>(Tuning::threads), on,
                     block_bytes};
  shape.is_cooperative = true;
  launch("cooperative_floyd_warshall_kernel", shape, kernel, algebra, arguments...);
}

/// How the kernel is launched.
struct one_kernel_launch {
  int resident_blocks;  ///< At least 1.
  cudaStream_t stream;
};

/// Makes a diagonal block final over its @p num_pivots pivots.
template <class Tuning, class Algebra, class T = typename Algebra::value_type>
void close_in_one_kernel(const Algebra& algebra, const matrix_entries<T>& block,
                         std::size_t num_pivots, std::int32_t note, T floor,
                         const one_kernel_launch& how) {
  const auto num_tiles = static_cast<int>(num_pivots / Tuning::tile);
  // A block for every tile of a step, other than those of the cross.
  const int num_blocks = std::clamp((num_tiles - 1) * (num_tiles - 1), 1,
                                    std::min(how.resident_blocks, most_blocks_of_chain));
  launch_one_kernel<Tuning>(num_blocks, how.stream, algebra, block,
                            tile_steps{num_tiles, 0, num_tiles}, note, floor);
}

/// Relaxes a matrix of few vertices.
/// @return nothing, and does nothing, if the device cannot run a cooperative kernel; false if the
/// monitor of the call requested a stop.
template <class Algebra, class T = typename Algebra::value_type>
std::optional<bool> solve_in_one_kernel(const device_workspace& space, const Algebra& algebra,
                                        const square_matrix<T>& matrix, std::size_t num_vertices,
                                        T floor, device_progress& progress) {
  using tuning = cooperative_tuning<T>;
  constexpr std::size_t tile = tuning::tile;
  const int resident_blocks = resident_blocks_of_one_kernel<Algebra, tuning>();
  if (resident_blocks == 0) return std::nullopt;
  const auto num_tiles = static_cast<int>((num_vertices + tile - 1) / tile);
  // Barriers of few blocks are short. If there are no more blocks than multiprocessors, the block
  // that closes pivot tiles also runs alone.
  const int tiles_per_step = (num_tiles - 1) * (num_tiles - 1);
  const int most_blocks = std::max(1, (tiles_per_step + 1) / 2);
  const int num_blocks = std::min(most_blocks, resident_blocks);

  const int steps_per_launch = progress.is_observed() ? observed_steps_per_launch : num_tiles;
  for (int begin = 0; begin < num_tiles; begin += steps_per_launch) {
    const int end = std::min(begin + steps_per_launch, num_tiles);
    launch_one_kernel<tuning>(
        num_blocks, space.stream.get(), algebra,
        matrix_entries<T>{matrix.distances, matrix.predecessors, matrix.pitch},
        tile_steps{num_tiles, begin, end}, std::int32_t{0}, floor);
    const std::size_t last = std::min(static_cast<std::size_t>(end) * tile, num_vertices);
    if (!progress.step(last - static_cast<std::size_t>(begin) * tile)) return false;
  }
  return progress.finish();
}

}  // namespace apsp::inline v1::detail::cuda
