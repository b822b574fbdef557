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
#include "../../../device/grid.cuh"
#include "../../../device/stream.cuh"
#include "../../../device/transfer.cuh"
#include "../../../host/monitor.hpp"
#include "../../problem/cuda/source_batch.cuh"
#include "../../problem/problem.hpp"
#include "batch_delivery.cuh"
#include "packed_rows.cuh"

// Delivers the rows of a solved batch to the host.
namespace apsp::inline v1::detail::cuda {

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
    if (num_sources == 0) return 0;
    const std::size_t row_bytes = saturated_product(
        num_vertices(), sizeof(C) + (problem_.with_predecessors ? sizeof(std::int32_t) : 0));
    const piece_plan plan(num_sources, row_bytes);
    const std::size_t rows_of_tile = layout.lanes == 1 ? plan.per_piece : layout.lanes;
    return saturated_product(std::min<std::size_t>(plan.count(), transfers.max_busy_threads),
                             saturated_product(rows_of_tile, row_bytes));
  }

  void deliver(const solved_batch<C>& batch, bool is_beside_solver) override {
    const std::vector<int> has_doubt = doubts_of(batch);
    const bool records = batch.predecessors != nullptr;
    const std::size_t n = num_vertices();
    const row_format format = choose_format(batch);
    const std::size_t pitch = pitch_of_rows<C>(format, n);
    const std::size_t bytes_of_predecessors = records ? n * sizeof(std::int32_t) : 0;
    const piece_plan plan(batch.num_sources, pitch + bytes_of_predecessors);
    // As many as `workspace_bytes` counts.
    const std::size_t rows_packed_together =
        piece_plan(batch.num_sources, n * sizeof(C) + bytes_of_predecessors).per_piece;
    std::atomic<std::size_t> next_tile{0};
    std::atomic<bool> has_failed{false};
    const auto deliver_pieces = [&](transfer_lane& lane) {
      const cudaStream_t stream = lane.stream();
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream, batch.ready));
      piece_source source(batch, plan, n, format, rows_packed_together, next_tile, stream);
      std::vector<C> own_row;
      try {
        unsigned slot = 0;
        for (piece p = source.fetch(lane, slot); p.count != 0;) {
          if (has_failed || watch_.stop_requested()) break;
          const piece following = source.fetch(lane, 1 - slot);
          lane.wait(slot);
          auto* const distances = lane.buffer<std::byte>(slot);
          auto* const predecessors = reinterpret_cast<std::int32_t*>(distances + p.count * pitch);
          for (std::size_t i = 0; i < p.count; ++i) {
            const received_row row{distances + i * pitch, format,
                                   records ? predecessors + i * n : nullptr,
                                   records && has_doubt[p.first + i] != 0};
            finish(batch.first_row + p.first + i, row, own_row);
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
    const bool unpacks = format != row_format::entries;
    lanes_.run(plan, deliver_pieces, is_beside_solver ? 1 : 0,
               unpacks ? transfers.max_busy_threads : transfers.max_threads);
  }

 private:
  std::size_t num_vertices() const { return problem_.arcs.num_vertices(); }

  /// Rows of a batch that are copied together.
  struct piece {
    std::size_t first;
    std::size_t count;
  };

  /// The source from which one host thread fetches pieces: the device transposes one tile of
  /// sources after another into rows, all lanes at once, and packs them; the rows are copied piece
  /// by piece.
  class piece_source {
   public:
    piece_source(const solved_batch<C>& batch, const piece_plan& plan, std::size_t n,
                 row_format format, std::size_t rows_packed_together,
                 std::atomic<std::size_t>& next_tile, cudaStream_t stream)
        : batch_(batch),
          n_(n),
          format_(format),
          pitch_(pitch_of_rows<C>(format, n)),
          is_turned_(batch.layout.lanes != 1),
          rows_of_tile_(is_turned_                      ? batch.layout.lanes
                        : format == row_format::entries ? plan.per_piece
                                                        : rows_packed_together),
          rows_of_piece_(std::min(plan.per_piece, rows_of_tile_)),
          next_tile_(next_tile),
          stream_(stream) {
      if (is_turned_ || format != row_format::entries) {
        distances_ = {rows_of_tile_ * pitch_, stream, 0};
      }
      if (is_turned_ && batch.predecessors != nullptr) {
        predecessors_ = {rows_of_tile_ * n, stream, 0};
      }
    }

    /// Starts to copy the next piece: its rows of distances, followed by those of predecessors. Its
    /// count is 0 if there are no more pieces.
    piece fetch(transfer_lane& lane, unsigned slot) {
      if (next_row_ == tile_end_ && !start_tile()) return {0, 0};
      const piece p{next_row_, std::min(rows_of_piece_, tile_end_ - next_row_)};
      next_row_ += p.count;
      auto* const pinned = lane.buffer<std::byte>(slot);
      copy(distances_.get(), batch_.distances, pitch_, p, pinned);
      if (batch_.predecessors != nullptr) {
        copy(predecessors_.get(), batch_.predecessors, n_ * sizeof(std::int32_t), p,
             pinned + p.count * pitch_);
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
      if (format_ != row_format::entries) {
        const bool in_planes = format_ == row_format::planes;
        gather_rows(batch_.distances,
                    put_packed<C>{distances_.get(), pitch_, n_, no_path<C>(), in_planes});
      } else if (is_turned_) {
        gather_rows(batch_.distances, put_rows<C>{reinterpret_cast<C*>(distances_.get()), n_});
      }
      if (is_turned_ && batch_.predecessors != nullptr) {
        gather_rows(batch_.predecessors, put_rows<std::int32_t>{predecessors_.get(), n_});
      }
      return true;
    }
    template <class X, class Put>
    void gather_rows(const X* entries, const Put& put) const {
      turn_rows(batch_entries<X>{.entries = entries,
                                 .layout = batch_.layout,
                                 .n = n_,
                                 .first = tile_begin_,
                                 .count = tile_end_ - tile_begin_},
                put, stream_);
    }
    /// @param tile   the rows of a tile, or null if those of the batch are copied as they are.
    /// @param pitch  bytes from one row to the next.
    void copy(const void* tile, const void* rows_of_batch, std::size_t pitch, const piece& p,
              std::byte* pinned) const {
      const auto* const rows =
          static_cast<const std::byte*>(tile != nullptr ? tile : rows_of_batch);
      const std::size_t first = tile != nullptr ? p.first - tile_begin_ : p.first;
      APSP_CUDA_CHECK(cudaMemcpyAsync(pinned, rows + first * pitch, p.count * pitch,
                                      cudaMemcpyDeviceToHost, stream_));
    }

    const solved_batch<C>& batch_;
    std::size_t n_;
    row_format format_;
    std::size_t pitch_;
    bool is_turned_;
    std::size_t rows_of_tile_;
    std::size_t rows_of_piece_;
    std::atomic<std::size_t>& next_tile_;
    cudaStream_t stream_;
    device_buffer<std::byte> distances_;  ///< Of a tile, unless those of the batch are copied.
    device_buffer<std::int32_t> predecessors_;
    std::size_t tile_begin_ = 0;
    std::size_t tile_end_ = 0;
    std::size_t next_row_ = 0;
  };

  /// The narrowest format for the rows of @p batch. Once the rows of a batch had none, none is
  /// looked for.
  row_format choose_format(const solved_batch<C>& batch) {
    // Threads unpack rows of 4 bytes nearly as slowly as the bus copies them.
    constexpr std::size_t fewest_bytes = std::size_t{1} << (sizeof(C) > 4 ? 20 : 29);
    const std::size_t n = num_vertices();
    if (!packs_rows_ || batch.num_sources * n * sizeof(C) < fewest_bytes) {
      return row_format::entries;
    }
    const stream_handle stream(stream_priority::highest);
    APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
    device_buffer<std::uint32_t> most(1, stream.get(), 0);
    APSP_CUDA_CHECK(cudaMemsetAsync(most.get(), 0, sizeof(std::uint32_t), stream.get()));
    // Few enough that those at the end, which write the same word, do not wait for each other.
    constexpr std::size_t blocks_of_each = 8;
    const std::size_t blocks =
        std::min<std::size_t>(blocks_of_each * num_multiprocessors(),
                              grid_size(batch.layout.padded(batch.num_sources) * n,
                                        threads_for_longest * entries_at_once));
    launch("find_longest_kernel",
           {static_cast<unsigned>(blocks), threads_for_longest, stream.get()},
           find_longest_kernel<C>, batch.distances, batch.layout, n, batch.num_sources,
           no_path<C>(), most.get());
    std::uint32_t longest = 0;
    APSP_CUDA_CHECK(cudaMemcpyAsync(&longest, most.get(), sizeof(longest), cudaMemcpyDeviceToHost,
                                    stream.get()));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    const row_format format = format_for<C>(longest);
    packs_rows_ = format != row_format::entries;
    return format;
  }

  static std::vector<int> doubts_of(const solved_batch<C>& batch) {
    if (batch.predecessors == nullptr) return std::vector<int>(batch.num_sources);
    const stream_handle stream(stream_priority::highest);
    APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
    return download_doubts(batch, stream.get());
  }

  /// A row in pinned memory.
  struct received_row {
    std::byte* distances;
    row_format format;
    std::int32_t* predecessors;  ///< Null if not requested.
    bool is_doubtful;
  };

  /// @param own  memory for distances whose output has none.
  void finish(std::size_t index, const received_row& received, std::vector<C>& own) {
    const std::size_t n = num_vertices();
    const std::size_t row = rows_.empty() ? index : static_cast<std::size_t>(rows_[index]);
    C* distances = output_.distances(row);
    if (received.format != row_format::entries) {
      if (distances == nullptr) {
        own.resize(n);
        distances = own.data();
      }
      unpack_row(distances, received.distances, n, received.format);
    } else if (distances != nullptr) {
      std::memcpy(distances, received.distances, n * sizeof(C));
    } else {
      distances = reinterpret_cast<C*>(received.distances);
    }
    std::int32_t* predecessors = received.predecessors;
    if (received.is_doubtful) {
      repair_predecessors<Join>(problem_.arcs, static_cast<std::size_t>(problem_.sources[index]),
                                distances, predecessors);
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
  bool packs_rows_ = true;  ///< Rows may be packed.
};

}  // namespace apsp::inline v1::detail::cuda
