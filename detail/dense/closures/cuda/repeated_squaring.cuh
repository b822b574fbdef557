// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/progress.cuh"
#include "../../../tiles/cuda/product_launch.cuh"
#include "../../../tiles/cuda/tile_shape.hpp"
#include "../../../values/distance_code.hpp"
#include "../../matrix/cuda/padded_matrix.cuh"
#include "../../matrix/cuda/symmetric_matrix.cuh"
#include "../../problem/squarings.hpp"

namespace apsp::inline v1::detail::cuda {

/// Repeated squaring of both CUDA policies, with two buffers. All squarings are enqueued at once. A
/// squaring that changes nothing clears a word in device memory, and the later ones then do
/// nothing: both buffers already hold the closure.
template <class S>
class repeated_squaring {
  using T = typename S::value_type;

 public:
  repeated_squaring(padded_matrix<S>& matrix, const S& semiring)
      : matrix_(matrix), semiring_(semiring) {}

  /// Memory allocated in addition to the matrix.
  std::size_t bytes() const { return matrix_.bytes(); }
  void allocate() {
    other_ = matrix_.space.template allocate<T>(matrix_.size());
    if (matrix_.records) {
      other_predecessors_ = matrix_.space.template allocate<std::int32_t>(matrix_.size());
    }
  }

  /// @param is_symmetric  the matrix equals its transpose, so the tiles on and above the diagonal
  ///                      are sufficient.
  /// @return false if the monitor of the call requested a stop.
  bool solve(std::size_t longest_path, bool is_symmetric, device_progress& progress) {
    is_symmetric_ = is_symmetric;
    const algebra<S> general(semiring_);
    if (matrix_.space.kernels == backend::cuda_naive) {
      return matrix_.records ? square_all<void, true>(general, longest_path, progress)
                             : square_all<void, false>(general, longest_path, progress);
    }
    if constexpr (few_vertices_limit(sizeof(T)) > 0) {
      if (size_of_problem<T>(matrix_.n) == problem_size::few_vertices) {
        return solve_tiled<problem_size::few_vertices>(general, longest_path, progress);
      }
    }
    if constexpr (std::is_same_v<S, min_plus<float>>) {
      if (matrix_.nonnegative && !matrix_.records) {
        using tuning = tuning_for<T, false, problem_size::many_vertices>;
        return square_all<tuning, false>(nonnegative_float_algebra(semiring_), longest_path,
                                         progress);
      }
    }
    return solve_tiled<problem_size::many_vertices>(general, longest_path, progress);
  }

 private:
  template <problem_size Size>
  bool solve_tiled(const algebra<S>& general, std::size_t longest_path, device_progress& progress) {
    return matrix_.records
               ? square_all<tuning_for<T, true, Size>, true>(general, longest_path, progress)
               : square_all<tuning_for<T, false, Size>, false>(general, longest_path, progress);
  }

  /// @tparam Tuning  void: one thread per entry.
  template <class Tuning, bool Record, class Algebra>
  bool square_all(const Algebra& algebra, std::size_t longest_path, device_progress& progress) {
    const int count = squarings_needed(longest_path);
    const cudaStream_t stream = matrix_.space.stream.get();
    // Word s is zero if squaring s has nothing to do.
    const device_buffer<int> needed =
        matrix_.space.template allocate<int>(static_cast<std::size_t>(count) + 1);
    APSP_CUDA_CHECK(cudaMemsetAsync(needed.get(), 0,
                                    (static_cast<std::size_t>(count) + 1) * sizeof(int), stream));
    for (int s = 0; s < count; ++s) {
      const int* const is_needed = s == 0 ? nullptr : needed.get() + s;
      square<Tuning, Record>(algebra, is_needed);
      matrix_.space.launch_over("find_difference_kernel", matrix_.size(), find_difference_kernel<T>,
                                matrix_.distances.get(), other_.get(), matrix_.size(), is_needed,
                                needed.get() + s + 1);
      std::swap(matrix_.distances, other_);
      if constexpr (Record) std::swap(matrix_.predecessors, other_predecessors_);
      if (!progress.step(matrix_.n)) return false;
    }
    return progress.finish();
  }

  /// Writes the square of the matrix to the other buffer.
  template <class Tuning, bool Record, class Algebra>
  void square(const Algebra& algebra, const int* is_needed) {
    const cudaStream_t stream = matrix_.space.stream.get();
    APSP_CUDA_CHECK(cudaMemcpyAsync(other_.get(), matrix_.distances.get(),
                                    matrix_.size() * sizeof(T), cudaMemcpyDeviceToDevice, stream));
    product_operands<T> operands;
    operands.a = operands.b = matrix_.distances.get();
    operands.c = other_.get();
    operands.a_pitch = operands.b_pitch = operands.c_pitch = matrix_.extent;
    if constexpr (Record) {
      APSP_CUDA_CHECK(cudaMemcpyAsync(other_predecessors_.get(), matrix_.predecessors.get(),
                                      matrix_.size() * sizeof(std::int32_t),
                                      cudaMemcpyDeviceToDevice, stream));
      operands.predecessors_b = matrix_.predecessors.get();
      operands.predecessors_c = other_predecessors_.get();
    }
    if constexpr (std::is_void_v<Tuning>) {
      launch_entry_product<Record>(algebra, operands, {matrix_.n, matrix_.n, matrix_.n}, stream,
                                   is_needed);
    } else {
      operands.grid = is_symmetric_ ? upper_grid<Tuning>(matrix_.extent)
                                    : whole_grid<Tuning>(matrix_.extent, matrix_.extent);
      launch_products<Tuning, false>(algebra, {operands, {}}, static_cast<int>(matrix_.extent), T{},
                                     stream, is_needed);
      if (is_symmetric_)
        mirror_entries(matrix_.space, other_.get(), matrix_.extent, matrix_.extent);
    }
  }

  padded_matrix<S>& matrix_;
  S semiring_;
  device_buffer<T> other_;
  device_buffer<std::int32_t> other_predecessors_;
  bool is_symmetric_ = false;
};

}  // namespace apsp::inline v1::detail::cuda
