// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "product_operands.cuh"
#include "register_tile.cuh"
#include "step_notes.cuh"
#include "tile_shape.hpp"

namespace apsp::inline v1::detail::cuda {

/// A thread has as many adjacent rows as there are columns in a vector.
template <class T, class Tuning>
struct pivot_registers {
  static constexpr pivot_shape pivot = Tuning::shape.pivot;
  static constexpr register_shape shape{pivot.tile_size, pivot.tile_size, pivot.entries_per_thread,
                                        pivot.entries_per_thread, vector_of<T>::size};
};

/// Closes the pivot tile whose first row and column are @p begin, with all threads of a CUDA block.
/// A tuning with `notes_steps` stores @p note where an entry decreased.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__device__ __forceinline__ void close_pivot_tile(const Algebra& algebra,
                                                 const matrix_entries<T>& matrix, std::size_t begin,
                                                 [[maybe_unused]] std::int32_t note, T floor) {
  using tile_type = register_tile<Algebra, pivot_registers<T, Tuning>>;
  __shared__ typename tile_type::exchange shared;
  const whole_tile<T> place{matrix.distances, begin, begin, matrix.pitch};
  tile_type tile(algebra, static_cast<int>(threadIdx.x));
  tile.load(place);
  tile.close(all_pivots{}, shared, floor);
  tile.store(place, [&](vector_of<T>& stored, [[maybe_unused]] std::size_t index) {
    tile.clamp(stored, floor);
    if constexpr (Tuning::notes_steps) {
      note_step(algebra, load_vector<vector_of<T>>(matrix.distances + index), stored, note,
                matrix.predecessors + index);
    }
  });
}

/// Closes the pivot tile at the beginning of a matrix. One CUDA block.
template <class Algebra, class Tuning, class T = typename Algebra::value_type>
__global__ void __launch_bounds__(pivot_threads(Tuning::shape.pivot),
                                  pivot_threads(Tuning::shape.pivot) <= 256 ? 3 : 1)
    pivot_tile_kernel(const Algebra algebra, matrix_entries<T> matrix, std::int32_t note, T floor) {
  close_pivot_tile<Algebra, Tuning>(algebra, matrix, 0, note, floor);
}

}  // namespace apsp::inline v1::detail::cuda
