// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../../../device/buffer.cuh"
#include "../../../device/check.cuh"
#include "../../../device/stream.cuh"
#include "../../../device/transfer.cuh"
#include "../../../host/monitor.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"

// Delivers the rows of a solved batch to the host.
namespace apsp::detail::cuda {

/// Passes rows to an output, on the host threads that the calling thread uses for its loops.
template <class C, class Join>
class host_delivery final : public batch_delivery<C> {
 public:
  /// @param rows  the row of the output of each source of @p problem; empty if they are in order.
  /// @param num_deliveries  those of the call, which share the cores.
  host_delivery(const per_source_problem<C>& problem, std::span<const std::int32_t> rows,
                solver_output<C>& output, int num_deliveries, monitor& watch)
      : problem_(problem), rows_(rows), output_(output), watch_(watch) {
    lanes_.share_cores(num_deliveries);
  }

  bool may_overlap() const override { return true; }

  std::size_t workspace_bytes(const batch_layout& layout, std::size_t num_sources) const override {
    if (layout.lanes == 1 || num_sources == 0) return 0;
    const std::size_t row_bytes = saturated_product(
        num_vertices(), sizeof(C) + (problem_.with_predecessors ? sizeof(std::int32_t) : 0));
    const std::size_t most_workers = piece_plan(num_sources, row_bytes).count();
    return saturated_product(std::min<std::size_t>(most_workers, transfers.max_threads),
                             saturated_product(layout.lanes, row_bytes));
  }

  void deliver(const solved_batch<C>& batch, bool is_beside_solver) override {
    const std::vector<int> has_doubt = doubts_of(batch);
    const bool records = batch.predecessors != nullptr;
    const std::size_t n = num_vertices();
    const piece_plan plan(batch.num_sources,
                          n * (sizeof(C) + (records ? sizeof(std::int32_t) : 0)));
    std::atomic<std::size_t> next_tile{0};
    std::atomic<bool> has_failed{false};
    const auto deliver_pieces = [&](transfer_lane& lane) {
      const cudaStream_t stream = lane.stream();
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream, batch.ready));
      piece_source source(batch, plan, n, next_tile, stream);
      try {
        unsigned slot = 0;
        for (piece p = source.fetch(lane, slot); p.count != 0;) {
          if (has_failed || watch_.stop_requested()) break;
          const piece following = source.fetch(lane, 1 - slot);
          lane.wait(slot);
          C* const distances = lane.buffer<C>(slot);
          auto* const predecessors = reinterpret_cast<std::int32_t*>(distances + p.count * n);
          for (std::size_t i = 0; i < p.count; ++i) {
            finish(batch.first_row + p.first + i, distances + i * n,
                   records ? predecessors + i * n : nullptr,
                   records && has_doubt[p.first + i] != 0);
          }
          p = following;
          slot = 1 - slot;
        }
      } catch (...) {
        has_failed = true;
        forget(cudaStreamSynchronize(stream));
        throw;
      }
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
    };
    lanes_.run(plan, deliver_pieces, is_beside_solver ? 1 : 0);
  }

 private:
  std::size_t num_vertices() const { return problem_.arcs.num_vertices(); }

  /// Rows of a batch that are copied together.
  struct piece {
    std::size_t first;
    std::size_t count;
  };

  /// The source from which one host thread fetches pieces: the device transposes one tile of
  /// sources after another into rows, all lanes at once, and the rows are copied piece by piece.
  class piece_source {
   public:
    piece_source(const solved_batch<C>& batch, const piece_plan& plan, std::size_t n,
                 std::atomic<std::size_t>& next_tile, cudaStream_t stream)
        : batch_(batch),
          n_(n),
          is_turned_(batch.layout.lanes != 1),
          rows_of_tile_(is_turned_ ? batch.layout.lanes : plan.per_piece),
          rows_of_piece_(std::min(plan.per_piece, rows_of_tile_)),
          next_tile_(next_tile),
          stream_(stream) {
      if (!is_turned_) return;
      distances_ = {rows_of_tile_ * n, stream, 0};
      if (batch.predecessors != nullptr) predecessors_ = {rows_of_tile_ * n, stream, 0};
    }

    /// Starts to copy the next piece: its rows of distances, followed by those of predecessors. Its
    /// count is 0 if there are no more pieces.
    piece fetch(transfer_lane& lane, unsigned slot) {
      if (next_row_ == tile_end_ && !start_tile()) return {0, 0};
      const piece p{next_row_, std::min(rows_of_piece_, tile_end_ - next_row_)};
      next_row_ += p.count;
      C* const pinned = lane.buffer<C>(slot);
      copy(is_turned_ ? distances_.get() : batch_.distances, p, pinned);
      if (batch_.predecessors != nullptr) {
        copy(is_turned_ ? predecessors_.get() : batch_.predecessors, p,
             reinterpret_cast<std::int32_t*>(pinned + p.count * n_));
      }
      lane.record(slot, stream_);
      return p;
    }

   private:
    bool start_tile() {
      const std::size_t begin = next_tile_++ * rows_of_tile_;
      if (begin >= batch_.num_sources) return false;
      next_row_ = tile_begin_ = begin;
      tile_end_ = std::min(begin + rows_of_tile_, batch_.num_sources);
      if (is_turned_) {
        gather_rows(batch_.distances, distances_.get());
        if (batch_.predecessors != nullptr) gather_rows(batch_.predecessors, predecessors_.get());
      }
      return true;
    }
    template <class X>
    void gather_rows(const X* entries, X* rows) const {
      turn_rows(batch_entries<X>{.entries = entries,
                                 .layout = batch_.layout,
                                 .n = n_,
                                 .first = tile_begin_,
                                 .count = tile_end_ - tile_begin_},
                put_rows<X>{rows, n_}, stream_);
    }
    template <class X>
    void copy(const X* rows, const piece& p, X* pinned) const {
      const std::size_t first = is_turned_ ? p.first - tile_begin_ : p.first;
      APSP_CUDA_CHECK(cudaMemcpyAsync(pinned, rows + first * n_, p.count * n_ * sizeof(X),
                                      cudaMemcpyDeviceToHost, stream_));
    }

    const solved_batch<C>& batch_;
    std::size_t n_;
    bool is_turned_;
    std::size_t rows_of_tile_;
    std::size_t rows_of_piece_;
    std::atomic<std::size_t>& next_tile_;
    cudaStream_t stream_;
    device_buffer<C> distances_;
    device_buffer<std::int32_t> predecessors_;
    std::size_t tile_begin_ = 0;
    std::size_t tile_end_ = 0;
    std::size_t next_row_ = 0;
  };

  static std::vector<int> doubts_of(const solved_batch<C>& batch) {
    if (batch.predecessors == nullptr) return std::vector<int>(batch.num_sources);
    const stream_handle stream(stream_priority::highest);
    APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
    return download_doubts(batch, stream.get());
  }

  void finish(std::size_t index, C* distances, std::int32_t* predecessors, bool is_doubtful) {
    const std::size_t n = num_vertices();
    if (is_doubtful) {
      repair_predecessors<Join>(problem_.arcs, static_cast<std::size_t>(problem_.sources[index]),
                                distances, predecessors);
    }
    const std::size_t row = rows_.empty() ? index : static_cast<std::size_t>(rows_[index]);
    if (C* const wanted = output_.distances(row)) {
      std::memcpy(wanted, distances, n * sizeof(C));
      distances = wanted;
    }
    if (predecessors != nullptr) {
      if (std::int32_t* const wanted = output_.predecessors(row)) {
        std::memcpy(wanted, predecessors, n * sizeof(std::int32_t));
        predecessors = wanted;
      }
    }
    output_.finish(row, distances, predecessors);
    watch_.advance(1);
  }

  const per_source_problem<C>& problem_;
  std::span<const std::int32_t> rows_;
  solver_output<C>& output_;
  monitor& watch_;
  transfer_lanes lanes_;
};

}  // namespace apsp::detail::cuda
