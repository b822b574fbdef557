// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../../device/grid_stride.cuh"
#include "../../device/warp.hpp"
#include "algebra.cuh"
#include "product_copies.cuh"
#include "product_layout.cuh"
#include "product_loops.cuh"
#include "product_operands.cuh"
#include "product_tile.cuh"
#include "tile_shape.hpp"

// Products of 8-byte weights of which few entries improve. The product of lower bounds of the
// operands, as floats, takes a fraction of the time. An entry that is not above its bound does not
// improve. For the others, the candidates, only those sums are computed exactly whose bounds are
// below the entry. The results are those of `product_kernel`.
namespace apsp::inline v1::detail::cuda {

/// True if products of the algebra can be filtered.
template <class Algebra>
inline constexpr bool has_product_filter = false;
template <>
inline constexpr bool has_product_filter<algebra<min_plus<double>>> = true;
template <>
inline constexpr bool has_product_filter<algebra<min_plus<std::int64_t>>> = true;

__device__ __forceinline__ float rounded_down(double value) {
  return __double2float_rd(value);
}
__device__ __forceinline__ float rounded_down(std::int64_t value) {
  return __ll2float_rd(value);
}
__device__ __forceinline__ float rounded_up(double value) {
  return __double2float_ru(value);
}
__device__ __forceinline__ float rounded_up(std::int64_t value) {
  return __ll2float_ru(value);
}

/// True if a sum of at least @p bound can be less than @p entry.
__device__ __forceinline__ bool may_improve(float bound, double entry) {
  return static_cast<double>(bound) < entry;
}
__device__ __forceinline__ bool may_improve(float bound, std::int64_t entry) {
  return __float2ll_ru(bound) < entry;
}

/// `min_plus` on lower bounds. Sums are rounded down, so a sum is at most that of the values that
/// the operands bound, however that one is rounded. With @p Nonnegative bounds have the same order
/// as their bits.
template <bool Nonnegative>
struct bound_algebra : algebra_base<bound_algebra<Nonnegative>, float> {
  using base = algebra_base<bound_algebra<Nonnegative>, float>;

  static __device__ __forceinline__ float times(float a, float b) { return __fadd_rd(a, b); }
  // The sum of infinities of opposite sign is NaN, and the sum that it bounds is infinite: the old
  // bound is kept.
  static __device__ __forceinline__ float plus(float x, float best) { return fminf(best, x); }

  using base::relax;
  __device__ __forceinline__ float relax(float c, float a0, float b0, float a1, float b1) const {
    if constexpr (Nonnegative) {
      return __int_as_float(__vimin3_s32(__float_as_int(c), __float_as_int(times(a0, b0)),
                                         __float_as_int(times(a1, b1))));
    } else {
      return base::relax(c, a0, b0, a1, b1);
    }
  }
};

/// The tuning of the bounds as a type.
struct lower_bound_tuning {
  static constexpr bool records = false;
  static constexpr bool notes_steps = false;
  static constexpr tile_shape shape = product_filter_tuning.shape;
};

using bound_layout = product_layout<float, lower_bound_tuning>;

/// The operands are as deep as all stages together: after the main loop they are still in shared
/// memory.
inline constexpr int filtered_depth = bound_layout::shape.stages * bound_layout::shape.depth;

/// What the tiles of a product have found.
struct filter_outcome {
  int num_unfiltered;  ///< tiles that are still to be relaxed
  /// In a trial: of the tiles of the sample, those with too many candidates less the others.
  int balance;
};

template <class T>
struct filtered_operands {
  product_operands<T> exact;
  product_operands<float> bounds;  ///< of A and B, rounded down
  bool is_trial = false;
  const filter_outcome* last_trial = nullptr;  ///< before this product
  filter_outcome* outcome = nullptr;
  int* unfiltered = nullptr;  ///< as many tiles as the grid has

  /// True if most tiles had too many candidates when that was last tried.
  __device__ __forceinline__ bool is_pointless() const { return last_trial->balance > 0; }
};

/// Rounds a panel of @p rows x @p columns down, whole vectors of floats.
template <class T>
__device__ __forceinline__ void round_down(const T* from, std::size_t from_pitch, float* to,
                                           std::size_t to_pitch, std::size_t rows,
                                           std::size_t columns) {
  using wide = vector_of<T>;
  using narrow = vector_of<float>;
  const std::size_t per_row = columns / narrow::size;
  for (std::size_t v = first_index(); v < rows * per_row; v += index_stride()) {
    const std::size_t row = v / per_row;
    const std::size_t column = v % per_row * narrow::size;
    narrow rounded;
#pragma unroll
    for (int part = 0; part < narrow::size; part += wide::size) {
      const wide values = *reinterpret_cast<const wide*>(from + row * from_pitch + column + part);
#pragma unroll
      for (int e = 0; e < wide::size; ++e)
        rounded.values[part + e] = rounded_down(values.values[e]);
    }
    *reinterpret_cast<narrow*>(to + row * to_pitch + column) = rounded;
  }
}

/// Writes A, of @p extent rows, and B, of @p extent columns, rounded down, to @p a and @p b.
template <class T>
__global__ void round_operands_kernel(const product_operands<T> operands, std::size_t extent,
                                      float* a, std::size_t a_pitch, float* b,
                                      std::size_t b_pitch) {
  round_down(operands.a, operands.a_pitch, a, a_pitch, extent, filtered_depth);
  round_down(operands.b, operands.b_pitch, b, b_pitch, filtered_depth, extent);
}

/// The candidates of a tile, in shared memory.
struct candidate_list {
  static constexpr int capacity = bound_layout::shape.rows * bound_layout::shape.columns /
                                  product_filter_tuning.entries_per_candidate;

  int size;  ///< More than `capacity` if that is too small.
  /// Rows and columns within the tile, as one number.
  std::uint16_t entries[capacity];

  /// Adds those of the thread's entries that are above their bounds. @p c is the first entry.
  template <class T>
  __device__ __forceinline__ void add(const thread_entries<bound_layout>& bounds,
                                      tile_position position, const T* c, std::size_t pitch) {
    using layout = bound_layout;
    using vector = vector_of<T>;
    static_assert(layout::shape.rows * layout::shape.columns <= 65536);
#pragma unroll
    for (int i = 0; i < layout::rows; ++i) {
      bool is_above[layout::columns];
      int count = 0;
#pragma unroll
      for (int j = 0; j < layout::columns; j += vector::size) {
        const vector old = *reinterpret_cast<const vector*>(c + column_of(j));
#pragma unroll
        for (int e = 0; e < vector::size; ++e) {
          is_above[j + e] = may_improve(bounds.values[i][j + e], old.values[e]);
          count += is_above[j + e] ? 1 : 0;
        }
      }
      c += warp_rows * pitch;
      if (count == 0) continue;
      int at = atomicAdd(&size, count);
      const int row = position.row + i * warp_rows;
#pragma unroll
      for (int j = 0; j < layout::columns; ++j) {
        if (is_above[j] && at < capacity) {
          entries[at++] = static_cast<std::uint16_t>(row * layout::shape.columns + position.column +
                                                     column_of(j));
        }
      }
    }
  }

 private:
  static __device__ __forceinline__ int column_of(int j) {
    return j / bound_layout::vector_size * bound_layout::column_stride +
           j % bound_layout::vector_size;
  }
};

/// The k of one stage, as bits, for which the bound of the sum is less than @p limit.
__device__ __forceinline__ unsigned ks_below(float limit, operand_stages<float> stages, int stage,
                                             int row, int column) {
  using layout = bound_layout;
  static_assert(layout::shape.depth == 32);
  const float* const a = stages.a + stage * layout::a_size + row * layout::a_pitch;
  const float* const b = stages.b + stage * layout::b_size + column;
  unsigned ks = 0;
#pragma unroll
  for (int k = 0; k < layout::shape.depth; k += layout::vector_size) {
    const auto a_values = *reinterpret_cast<const layout::vector*>(a + k);
#pragma unroll
    for (int e = 0; e < layout::vector_size; ++e) {
      const float bound = __fadd_rd(a_values.values[e], b[(k + e) * layout::b_pitch]);
      if (bound < limit) ks |= 1u << (k + e);
    }
  }
  return ks;
}

/// Relaxes the candidates of the tile at @p tile_row, @p tile_column, one per thread.
template <class Tuning, class Algebra, class T = typename Algebra::value_type>
__device__ __forceinline__ void relax_candidates(const Algebra& algebra,
                                                 const product_operands<T>& operands,
                                                 std::size_t tile_row, std::size_t tile_column,
                                                 const candidate_list& candidates,
                                                 operand_stages<float> stages) {
  constexpr product_shape shape = bound_layout::shape;
  for (int i = static_cast<int>(threadIdx.x); i < candidates.size; i += bound_layout::threads) {
    const int row = candidates.entries[i] / shape.columns;
    const int column = candidates.entries[i] % shape.columns;
    const T* const a = operands.a + (tile_row + static_cast<std::size_t>(row)) * operands.a_pitch;
    const T* const b = operands.b + tile_column + static_cast<std::size_t>(column);
    const std::size_t c_offset = (tile_row + static_cast<std::size_t>(row)) * operands.c_pitch +
                                 tile_column + static_cast<std::size_t>(column);
    const T before = operands.c[c_offset];
    T best = before;
#pragma unroll 1
    for (int stage = 0; stage < shape.stages; ++stage) {
      unsigned ks = ks_below(rounded_up(best), stages, stage, row, column);
      for (; ks != 0; ks &= ks - 1) {
        const int k = stage * shape.depth + __ffs(static_cast<int>(ks)) - 1;
        best = algebra.relax(best, a[k], b[static_cast<std::size_t>(k) * operands.b_pitch]);
      }
    }
    if (algebra.improves(best, before)) {
      operands.c[c_offset] = best;
      if constexpr (Tuning::notes_steps) operands.predecessors_c[c_offset] = operands.note;
    }
  }
}

/// One CUDA block per tile of C. Tiles with too many candidates are left to
/// `unfiltered_tiles_kernel`; if that has been the case for most, all tiles are, except for a
/// sample in a trial.
template <class Algebra, class Tuning, bool Nonnegative>
__global__ void __launch_bounds__(threads_per_block(lower_bound_tuning::shape.product),
                                  lower_bound_tuning::shape.product.blocks_per_multiprocessor)
    filtered_product_kernel(
        const Algebra algebra,
        const __grid_constant__ filtered_operands<typename Algebra::value_type> operands) {
  using layout = bound_layout;
  constexpr product_shape shape = layout::shape;
  static_assert(shape.rows == Tuning::shape.product.rows &&
                shape.columns == Tuning::shape.product.columns);

  const int tile = static_cast<int>(blockIdx.x);
  const bool is_sample = operands.is_trial && tile % product_filter_tuning.tiles_per_sample == 0;
  const bool is_first_thread = threadIdx.x == 0;
  const auto leave_tile = [&] {
    if (is_first_thread) {
      operands.unfiltered[atomicAdd(&operands.outcome->num_unfiltered, 1)] = tile;
    }
  };
  if (!is_sample && operands.is_pointless()) {
    // Without a trial, nothing is listed.
    if (operands.is_trial) leave_tile();
    return;
  }

  extern __shared__ __align__(vector_bytes) unsigned char shared_memory[];
  float* const shared = reinterpret_cast<float*>(shared_memory);
  __shared__ candidate_list candidates;
  if (is_first_thread) candidates.size = 0;

  const upper_place place = operands.exact.grid.place_of(tile);
  const std::size_t tile_row = static_cast<std::size_t>(place.row) * shape.rows;
  const std::size_t tile_column = static_cast<std::size_t>(place.column) * shape.columns;
  const operand_stages<float> stages{shared, shared + layout::b_begin};
  product_copies<layout> copies(operands.bounds, tile_row, tile_column, filtered_depth, stages);
  copies.start();
  const tile_position position = position_of_thread<layout>(static_cast<int>(threadIdx.x));
  thread_entries<layout> bounds;
  bounds.fill(INFINITY);
  relax_stages(bound_algebra<Nonnegative>(), copies, stages, position, bounds);

  candidates.add(bounds, position,
                 operands.exact.c +
                     (tile_row + static_cast<std::size_t>(position.row)) * operands.exact.c_pitch +
                     tile_column + static_cast<std::size_t>(position.column),
                 operands.exact.c_pitch);
  __syncthreads();
  const bool are_too_many = candidates.size > candidate_list::capacity;
  if (is_sample && is_first_thread) atomicAdd(&operands.outcome->balance, are_too_many ? 1 : -1);
  if (are_too_many) {
    leave_tile();
  } else {
    relax_candidates<Tuning>(algebra, operands.exact, tile_row, tile_column, candidates, stages);
  }
}

/// Relaxes the tiles that `filtered_product_kernel` has left, with any number of CUDA blocks. They
/// should be many times as many as are resident, so that other kernels get their turn.
template <class Algebra, class Tuning>
__global__ void __launch_bounds__(threads_per_block(Tuning::shape.product),
                                  Tuning::shape.product.blocks_per_multiprocessor)
    unfiltered_tiles_kernel(
        const Algebra algebra,
        const __grid_constant__ filtered_operands<typename Algebra::value_type> operands,
        typename Algebra::value_type floor) {
  const bool all = !operands.is_trial && operands.is_pointless();
  const int count = all ? operands.exact.grid.size() : operands.outcome->num_unfiltered;
  for (int i = static_cast<int>(blockIdx.x); i < count; i += static_cast<int>(gridDim.x)) {
    multiply_tile<Algebra, Tuning, false, false>(
        algebra, operands.exact, all ? i : operands.unfiltered[i], filtered_depth, floor);
    __syncthreads();  // The next tile overwrites the stages.
  }
}

}  // namespace apsp::inline v1::detail::cuda
