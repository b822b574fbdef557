// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/workspace.cuh"
#include "filtered_product.cuh"
#include "product_operands.cuh"
#include "tile_shape.hpp"

namespace apsp::inline v1::detail::cuda {

/// The products that relax the remainder, filtered: one per step, in order.
template <class T>
class product_filter {
 public:
  product_filter(const device_workspace& space, std::size_t extent)
      : space_(space), extent_(extent) {}

  static bool pays(std::size_t num_vertices) {
    return num_vertices >= product_filter_tuning.fewest_vertices;
  }
  static std::size_t bytes(std::size_t extent) {
    return 2 * bounds_size(extent) * sizeof(float) + num_steps(extent) * sizeof(filter_outcome) +
           num_tiles(extent) * sizeof(int);
  }
  void allocate() {
    a_bounds_ = space_.template allocate<float>(bounds_size(extent_));
    b_bounds_ = space_.template allocate<float>(bounds_size(extent_));
    outcomes_ = space_.template allocate<filter_outcome>(num_steps(extent_));
    unfiltered_ = space_.template allocate<int>(num_tiles(extent_));
  }

  /// To be called before the first step.
  template <class Tuning, class Algebra>
  void start(bool nonnegative) {
    nonnegative_ = nonnegative;
    static_assert(tile_size(Tuning::shape) == filtered_depth);
    APSP_CUDA_CHECK(cudaMemsetAsync(outcomes_.get(), 0, num_steps(extent_) * sizeof(filter_outcome),
                                    space_.stream.get()));
    allow_shared_memory(kernel<Tuning, Algebra>(nonnegative), bound_bytes);
    allow_shared_memory(unfiltered_tiles_kernel<Algebra, Tuning>, exact_bytes<Tuning>);
  }

  /// Enqueues the bounds of the operands of @p step, of @p extent rows and columns. They may be
  /// written while the product of the step before runs.
  void bound_operands(const product_operands<T>& operands, std::size_t extent, int step,
                      cudaStream_t stream) {
    const std::size_t vectors = extent * filtered_depth / vector_of<float>::size;
    launch("round_operands_kernel", {space_.setup_blocks(vectors), setup.threads, stream},
           round_operands_kernel<T>, operands, extent, a_bounds(step), std::size_t{filtered_depth},
           b_bounds(step), extent_);
  }

  /// Enqueues the product of @p step.
  template <class Tuning, class Algebra>
  void relax(const Algebra& algebra, const product_operands<T>& operands, int step, T floor,
             cudaStream_t stream) {
    const int tiles = operands.grid.size();
    if (tiles == 0) return;
    constexpr int period = product_filter_tuning.steps_per_trial;
    // One trial of an earlier step; before the first one, the outcome of a step that is zero.
    const int last_trial = std::max(step - 1, 0) / period * period;
    filtered_operands<T> filtered;
    filtered.exact = operands;
    filtered.bounds.a = a_bounds(step);
    filtered.bounds.a_pitch = filtered_depth;
    filtered.bounds.b = b_bounds(step);
    filtered.bounds.b_pitch = extent_;
    filtered.is_trial = step % period == 0;
    filtered.last_trial = outcomes_.get() + 1 + (step == 0 ? -1 : last_trial);
    filtered.outcome = outcomes_.get() + 1 + step;
    filtered.unfiltered = unfiltered_.get();
    launch("filtered_product_kernel",
           {static_cast<unsigned>(tiles), threads_per_block(lower_bound_tuning::shape.product),
            stream, bound_bytes},
           kernel<Tuning, Algebra>(nonnegative_), algebra, filtered);
    const int blocks = std::min(tiles, product_filter_tuning.most_unfiltered_blocks);
    launch("unfiltered_tiles_kernel",
           {static_cast<unsigned>(blocks), threads_per_block(Tuning::shape.product), stream,
            exact_bytes<Tuning>},
           unfiltered_tiles_kernel<Algebra, Tuning>, algebra, filtered, floor);
  }

 private:
  static constexpr std::size_t num_sets = 2;
  static constexpr std::size_t bound_bytes =
      shared_bytes(lower_bound_tuning::shape.product, sizeof(float));
  template <class Tuning>
  static constexpr std::size_t exact_bytes = shared_bytes(Tuning::shape.product, sizeof(T));

  static std::size_t bounds_size(std::size_t extent) { return num_sets * extent * filtered_depth; }
  static std::size_t num_tiles(std::size_t extent) {
    constexpr product_shape shape = lower_bound_tuning::shape.product;
    return (extent / shape.rows) * (extent / shape.columns);
  }
  /// One before the first, in which nothing has been found.
  static std::size_t num_steps(std::size_t extent) { return 1 + extent / filtered_depth; }

  template <class Tuning, class Algebra>
  static auto kernel(bool nonnegative) {
    if constexpr (!Tuning::notes_steps) {  // notes need positive weights
      if (!nonnegative) return filtered_product_kernel<Algebra, Tuning, false>;
    }
    return filtered_product_kernel<Algebra, Tuning, true>;
  }
  std::size_t set_of(int step) const {
    return static_cast<std::size_t>(step) % num_sets * extent_ * filtered_depth;
  }
  float* a_bounds(int step) const { return a_bounds_.get() + set_of(step); }
  float* b_bounds(int step) const { return b_bounds_.get() + set_of(step); }

  const device_workspace& space_;
  std::size_t extent_;
  bool nonnegative_ = false;
  device_buffer<float> a_bounds_;  ///< num_sets x extent x filtered_depth
  device_buffer<float> b_bounds_;  ///< num_sets x filtered_depth x extent
  device_buffer<filter_outcome> outcomes_;
  device_buffer<int> unfiltered_;
};

}  // namespace apsp::inline v1::detail::cuda
