// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "../../../apsp/policy.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../device/buffer.cuh"
#include "../../device/check.cuh"
#include "../../device/resolved_device.cuh"
#include "../../device/side_stream.cuh"
#include "../../device/stream.cuh"
#include "../../device/transfer.cuh"
#include "../../device/warp.hpp"
#include "../../device/workspace.cuh"
#include "../../host/monitor.hpp"
#include "device_graph_kernels.cuh"
#include "device_graphs.hpp"
#include "small_graph_shape.hpp"
#include "small_graphs.cuh"

// `solve_device_graphs`, for the files that instantiate it.
namespace apsp::inline v1::detail::cuda {

/// Solves the pieces of a batch of graphs in device memory, two at a time: the last CUDA blocks of
/// one run together with the first ones of the next.
template <class C, class W>
class device_graph_pieces {
 public:
  using take_function = std::function<void(std::size_t, small_graph_outcome)>;

  /// What is done with the graphs.
  struct task {
    backend kernels;
    std::span<const graph_with_result<W>> given;
    W limit;
    const take_function& take;
  };

  /// @param memory  device memory of `small_graph_batch::lane_bytes`
  device_graph_pieces(const small_graph_batch<C>& batch, const task& what, std::byte* memory,
                      cudaStream_t stream)
      : kernels_(what.kernels),
        batch_(batch),
        given_(what.given),
        limit_(what.limit),
        take_(what.take),
        memory_(memory),
        streams_{side_stream(stream, stream_priority::ordinary),
                 side_stream(stream, stream_priority::ordinary)} {
    for (side_stream& s : streams_) s.wait_for_main();
    lane_.reserve(transfers.piece_bytes);
  }

  void run(const monitor& watch) {
    APSP_RANGE_OF(algorithm::floyd_warshall);
    try {
      unsigned slot = 0;
      for (const small_graph_piece& piece : batch_.pieces()) {
        if (watch.stop_requested()) break;
        start(slot, piece);
        slot = 1 - slot;
        finish(slot);
      }
      finish(1 - slot);
    } catch (...) {
      // The device still uses the buffers that are about to be freed.
      for (const side_stream& s : streams_) forget(cudaStreamSynchronize(s.get()));
      throw;
    }
  }

  /// Bytes of a graph in a buffer beside its matrix.
  static constexpr std::size_t bytes_beside_matrix =
      sizeof(small_graph_place<C>) +
      round_up(sizeof(graph_with_result<W>) + sizeof(small_graph_outcome), vector_bytes);

 private:
  /// The offsets in a buffer: places, graphs, outcomes and matrices of a piece.
  struct layout {
    std::size_t given;
    std::size_t outcomes;
    std::size_t entries;

    explicit layout(std::size_t count)
        : given(count * sizeof(small_graph_place<C>)),
          outcomes(given + count * sizeof(graph_with_result<W>)),
          entries(round_up(outcomes + count * sizeof(small_graph_outcome), vector_bytes)) {}
  };

  void start(unsigned slot, const small_graph_piece& piece) {
    const std::size_t count = piece.end - piece.begin;
    const layout at(count);
    std::byte* const buffer = lane_.buffer<std::byte>(slot);
    auto* const places = reinterpret_cast<small_graph_place<C>*>(buffer);
    auto* const given = reinterpret_cast<graph_with_result<W>*>(buffer + at.given);
    std::size_t offset = 0;
    for (std::size_t p = 0; p < count; ++p) {
      const small_graph<C>& graph = batch_[piece.begin + p];
      places[p] = {offset, 0, 0, static_cast<std::int32_t>(graph.num_vertices), graph.code};
      given[p] = given_[graph.index];
      offset += batch_.num_entries(graph);
    }

    cudaStream_t const stream = streams_[slot].get();
    std::byte* const memory = memory_ + slot * batch_.piece_bytes();
    const auto* const device_places = reinterpret_cast<const small_graph_place<C>*>(memory);
    const auto* const device_given =
        reinterpret_cast<const graph_with_result<W>*>(memory + at.given);
    auto* const outcomes = reinterpret_cast<small_graph_outcome*>(memory + at.outcomes);
    C* const entries = reinterpret_cast<C*>(memory + at.entries);
    const launch_shape one_block_each{static_cast<unsigned>(count),
                                      small_graph_batches.threads_per_matrix, stream};
    constexpr W no_path = unreachable<W>;
    APSP_CUDA_CHECK(cudaMemcpyAsync(memory, buffer, at.outcomes, cudaMemcpyHostToDevice, stream));
    launch("make_from_graphs_kernel", one_block_each, make_from_graphs_kernel<C, W>, device_places,
           device_given, no_path, entries);
    close_piece<C>(kernels_, piece, device_places, entries, stream);
    launch("store_distances_kernel", one_block_each, store_distances_kernel<C, W>, device_places,
           device_given, static_cast<const C*>(entries),
           distance_conversion<C, W>{limit_, std::numeric_limits<W>::lowest(), no_path}, outcomes);
    // By then the device has read what was in the buffer.
    APSP_CUDA_CHECK(cudaMemcpyAsync(buffer, outcomes, count * sizeof(small_graph_outcome),
                                    cudaMemcpyDeviceToHost, stream));
    lane_.record(slot, stream);
    on_device_[slot] = &piece;
  }

  void finish(unsigned slot) {
    const small_graph_piece* const piece = std::exchange(on_device_[slot], nullptr);
    if (piece == nullptr) return;
    lane_.wait(slot);
    const auto* const outcomes = lane_.buffer<small_graph_outcome>(slot);
    for (std::size_t p = piece->begin; p < piece->end; ++p) {
      take_(batch_[p].index, outcomes[p - piece->begin]);
    }
  }

  backend kernels_;
  const small_graph_batch<C>& batch_;
  std::span<const graph_with_result<W>> given_;
  W limit_;
  const take_function& take_;
  std::byte* memory_;
  std::array<side_stream, 2> streams_;
  transfer_lane lane_;
  std::array<const small_graph_piece*, 2> on_device_{};
};

template <class C, class W>
void solve_device_graphs(const launch_target& target, std::span<const small_graph<C>> graphs,
                         std::span<const graph_with_result<W>> given, W limit,
                         const std::function<void(std::size_t, small_graph_outcome)>& take,
                         const monitor& watch) {
  if (graphs.empty()) return;
  using pieces = device_graph_pieces<C, W>;
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  const small_graph_batch<C> batch(
      graphs, bytes_for_batch(target),
      {pieces::bytes_beside_matrix, small_graph_batches.least_piece_bytes,
       small_graph_batches.most_resident_piece_bytes,
       transfers.piece_bytes / pieces::bytes_beside_matrix, 1, 2});
  const device_buffer<std::byte> memory(batch.lane_bytes(), stream.get(), batch.lane_bytes());
  pieces(batch, {target.kernels, given, limit, take}, memory.get(), stream.get()).run(watch);
}

}  // namespace apsp::inline v1::detail::cuda
