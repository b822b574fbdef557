// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/grid.cuh"
#include "../../../device/stop_signal.cuh"
#include "../../problem/cuda/source_batch.cuh"
#include "source_tile.cuh"

// Bellman–Ford from many sources at once: each block solves for one tile of sources
// (source_tile.cuh), and as many tiles run concurrently as fit on the device.
namespace apsp::inline v1::detail::cuda {

template <class C, class Join>
class batched_bellman_ford final : public batch_solver<C> {
 public:
  /// @param shape         one of the shapes in `batched`.
  /// @param bucket_width  `Join::none` to use a single bucket.
  batched_bellman_ford(const device_arcs<C>& arcs, const per_source_problem<C>& problem,
                       const source_tile_shape& shape, C bucket_width, cudaStream_t stream)
      : arcs_(arcs),
        problem_(problem),
        shape_(shape),
        bucket_width_(bucket_width),
        stream_(stream) {
    most_shared_bytes_ = allow_all_shared_memory(kernel());
  }

  batch_layout layout() const override { return {shape_.lanes}; }

  std::size_t concurrent_sources() const override {
    return concurrent_blocks(0) * num_multiprocessors() * shape_.lanes;
  }
  std::size_t workspace_bytes(std::size_t num_sources) const override {
    const masks_in_shared where = place_masks(num_sources);
    const std::size_t num_masks = (where.near_lanes ? 0 : 1) + (where.far_lanes ? 0 : 1);
    const std::size_t bytes_per_vertex =
        num_masks * sizeof(std::uint32_t) + num_queues * sizeof(std::int32_t);
    return saturated_product(num_tiles(num_sources),
                             saturated_product(arcs_.num_vertices, bytes_per_vertex));
  }
  void reserve(std::size_t num_sources, const monitor& watch, std::size_t bytes_needed) override {
    const masks_in_shared where = place_masks(num_sources);
    const std::size_t entries = num_tiles(num_sources) * arcs_.num_vertices;
    if (!where.near_lanes) near_lanes_ = {entries, stream_, bytes_needed};
    if (!where.far_lanes) far_lanes_ = {entries, stream_, bytes_needed};
    shared_bytes_ = where.bytes;
    queues_ = {entries * num_queues, stream_, bytes_needed};
    outcome_ = {1, stream_, bytes_needed};
    stop_ = stop_signal(stream_, watch, bytes_needed);
  }

  solve_outcome solve(const source_batch<C>& batch, monitor&) override {
    if (batch.num_sources == 0) return solve_outcome::finished;
    APSP_CUDA_CHECK(cudaMemsetAsync(outcome_.get(), 0, sizeof(int), stream_));
    // A path of n arcs contains a cycle; one round relaxes at least one arc of every path.
    const std::size_t max_rounds =
        problem_.has_negative_weight ? arcs_.num_vertices : std::numeric_limits<std::size_t>::max();
    const batched_problem<C> work{arcs_,
                                  batch,
                                  problem_.limit,
                                  bucket_width_,
                                  max_rounds,
                                  near_lanes_.get(),
                                  far_lanes_.get(),
                                  queues_.get(),
                                  stop_.flag(),
                                  outcome_.get()};
    launch("solve_source_tiles_kernel",
           {static_cast<unsigned>(num_tiles(batch.num_sources)), shape_.threads, stream_,
            shared_bytes_},
           kernel(), work);
    if (stop_.wait() == solve_outcome::stopped) return solve_outcome::stopped;
    int outcome = 0;
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(&outcome, outcome_.get(), sizeof(int), cudaMemcpyDeviceToHost, stream_));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return static_cast<solve_outcome>(outcome);
  }

 private:
  static constexpr std::size_t num_queues = 4;

  struct masks_in_shared {
    bool near_lanes;
    bool far_lanes;
    std::size_t bytes;
  };

  using kernel_type = void (*)(const batched_problem<C>);
  kernel_type kernel() const {
    return shape_.threads == batched.medium.threads ? kernel_of<batched.medium>()
                                                    : kernel_of<batched.narrow>();
  }
  template <const source_tile_shape& Shape>
  static kernel_type kernel_of() {
    return solve_source_tiles_kernel<C, Join, Shape.lanes, Shape.threads, Shape.blocks>;
  }

  std::size_t num_tiles(std::size_t num_sources) const {
    return layout().padded(num_sources) / shape_.lanes;
  }
  /// Per multiprocessor.
  std::size_t concurrent_blocks(std::size_t shared_bytes) const {
    int blocks = 0;
    APSP_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel(), static_cast<int>(shape_.threads), shared_bytes));
    return static_cast<std::size_t>(blocks);
  }
  /// Uses shared memory if this does not reduce the number of concurrent tiles.
  masks_in_shared place_masks(std::size_t num_sources) const {
    const std::size_t mask_bytes = arcs_.num_vertices * sizeof(std::uint32_t);
    const std::size_t multiprocessors = num_multiprocessors();
    const std::size_t wanted = std::min(
        concurrent_blocks(0), (num_tiles(num_sources) + multiprocessors - 1) / multiprocessors);
    const auto fits = [&](std::size_t bytes) {
      return bytes <= most_shared_bytes_ && concurrent_blocks(bytes) >= wanted;
    };
    if (fits(2 * mask_bytes)) return {true, true, 2 * mask_bytes};
    if (fits(mask_bytes)) return {true, false, mask_bytes};
    return {false, false, 0};
  }

  device_arcs<C> arcs_;
  const per_source_problem<C>& problem_;
  source_tile_shape shape_;
  C bucket_width_;
  cudaStream_t stream_;
  std::size_t most_shared_bytes_ = 0;
  std::size_t shared_bytes_ = 0;
  device_buffer<std::uint32_t> near_lanes_;
  device_buffer<std::uint32_t> far_lanes_;
  device_buffer<std::int32_t> queues_;
  device_buffer<int> outcome_;
  stop_signal stop_;
};

}  // namespace apsp::inline v1::detail::cuda
