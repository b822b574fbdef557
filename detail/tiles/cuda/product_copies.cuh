// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "../../device/warp.hpp"
#include "product_layout.cuh"
#include "product_operands.cuh"

namespace apsp::inline v1::detail::cuda {

/// The pipeline that copies the operands of a tile into shared memory: while one stage is relaxed,
/// the next ones are copied. All threads of the block take part in every call.
template <class Layout>
class product_copies {
  using T = typename Layout::value_type;
  static constexpr product_shape shape = Layout::shape;

 public:
  /// @param first_row, first_column  of the tile of C.
  /// @param extent  the number of columns of A.
  __device__ __forceinline__ product_copies(const product_operands<T>& operands,
                                            std::size_t first_row, std::size_t first_column,
                                            int extent, operand_stages<T> stages)
      : num_steps_(extent / shape.depth) {
    const int thread = static_cast<int>(threadIdx.x);
    const int a_row = thread / Layout::a_vectors_per_row;
    const int a_column = (thread % Layout::a_vectors_per_row) * Layout::vector_size;
    const int b_row = thread / Layout::b_vectors_per_row;
    const int b_column = (thread % Layout::b_vectors_per_row) * Layout::vector_size;
    a_source_ = operands.a + (first_row + static_cast<std::size_t>(a_row)) * operands.a_pitch +
                static_cast<std::size_t>(a_column);
    b_source_ = operands.b + static_cast<std::size_t>(b_row) * operands.b_pitch + first_column +
                static_cast<std::size_t>(b_column);
    a_target_ = stages.a + a_row * Layout::a_pitch + a_column;
    b_target_ = stages.b + b_row * Layout::b_pitch + b_column;
    a_step_ = static_cast<std::size_t>(Layout::a_rows_at_once) * operands.a_pitch;
    b_step_ = static_cast<std::size_t>(Layout::b_rows_at_once) * operands.b_pitch;
  }

  __device__ __forceinline__ int num_steps() const { return num_steps_; }

  /// Starts to copy all stages but one.
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int stage = 0; stage < shape.stages - 1; ++stage) {
      if (stage < num_steps_) copy(stage);
      __pipeline_commit();
    }
  }

  /// Waits for the operands of @p step, and starts to copy those that replace the ones of the step
  /// before it. Call it for every step in turn.
  /// @return the stage of the operands.
  __device__ __forceinline__ int wait(int step) {
    __pipeline_wait_prior(shape.stages - 2);
    // The copies of all threads are complete, and no thread still reads the stage that is
    // overwritten next.
    __syncthreads();
    if (step + shape.stages - 1 < num_steps_) copy(free_stage_);
    __pipeline_commit();
    return full_stage_;
  }

  /// To be called when the operands that `wait` has returned have been used.
  __device__ __forceinline__ void release() {
    full_stage_ = after(full_stage_);
    free_stage_ = after(free_stage_);
  }

 private:
  static __device__ __forceinline__ int after(int stage) {
    return stage + 1 == shape.stages ? 0 : stage + 1;
  }

  __device__ __forceinline__ void copy(int stage) {
    const T* source = a_source_;
    T* target = a_target_ + stage * Layout::a_size;
#pragma unroll
    for (int row = 0; row < shape.rows; row += Layout::a_rows_at_once) {
      __pipeline_memcpy_async(target + row * Layout::a_pitch, source, vector_bytes);
      source += a_step_;
    }
    source = b_source_;
    target = b_target_ + stage * Layout::b_size;
#pragma unroll
    for (int row = 0; row < shape.depth; row += Layout::b_rows_at_once) {
      __pipeline_memcpy_async(target + row * Layout::b_pitch, source, vector_bytes);
      source += b_step_;
    }
    a_source_ += shape.depth;
    b_source_ = source;
  }

  // The sources advance, so that no index is recomputed per stage.
  const T* a_source_;
  const T* b_source_;
  T* a_target_;
  T* b_target_;
  std::size_t a_step_;
  std::size_t b_step_;
  int num_steps_;
  int full_stage_ = 0;
  int free_stage_ = shape.stages - 1;
};

}  // namespace apsp::inline v1::detail::cuda
