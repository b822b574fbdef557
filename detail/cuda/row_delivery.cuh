// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "../monitor.hpp"
#include "../per_source_problem.hpp"
#include "../predecessors.hpp"
#include "check.cuh"
#include "device_buffer.cuh"
#include "source_batch.cuh"
#include "transfer.cuh"

// How the rows of a solved batch reach the host.
namespace apsp::detail::cuda {

struct gather_tuning {
  /// Sources, at most, and vertices that are turned together in shared memory.
  unsigned side = 32;
  unsigned rows_per_step = 4;
  /// A block must find room beside those that solve for the next batch, which take nearly all registers
  /// of a multiprocessor: this many blocks in all of them leaves each 32 registers a thread.
  unsigned blocks = 16;
  std::size_t most_blocks = 1024;
};
inline constexpr gather_tuning gather{};

/// Copies @p count rows from source @p first on, at most `gather.side` of them, entry after entry to
/// @p rows.
template <class X>
__global__ void __launch_bounds__(gather.side* gather.rows_per_step, gather.blocks)
    gather_rows_kernel(const X* entries, batch_layout layout, std::size_t n, std::size_t first,
                       std::size_t count, X* rows) {
  __shared__ X turned[gather.side][gather.side + 1];
  const std::size_t step = std::size_t{gridDim.x} * gather.side;
  for (std::size_t begin = std::size_t{blockIdx.x} * gather.side; begin < n; begin += step) {
    for (unsigned j = threadIdx.y; j < gather.side; j += gather.rows_per_step) {
      if (threadIdx.x < count && begin + j < n) {
        turned[j][threadIdx.x] = entries[layout.index(first + threadIdx.x, begin + j, n)];
      }
    }
    __syncthreads();
    for (unsigned j = threadIdx.y; j < count; j += gather.rows_per_step) {
      if (begin + threadIdx.x < n) rows[j * n + begin + threadIdx.x] = turned[threadIdx.x][j];
    }
    __syncthreads();
  }
}

/// A batch whose distances, and predecessors if there are any, are final on the device.
template <class C>
struct solved_batch {
  std::size_t first_row;  ///< In the sources of the call.
  std::size_t num_sources;
  batch_layout layout;
  const C* distances;
  const std::int32_t* predecessors;  ///< Null without.
  const int* has_doubt;              ///< For each source: its predecessors may be no tree.
  cudaEvent_t ready;
};

/// Hands batches to a sink while the next one is solved. One batch at a time is on its way.
template <class C, class Join>
class row_delivery {
 public:
  row_delivery(int device, const per_source_problem<C>& problem, row_sink<C>& sink, monitor& watch)
      : device_(device), problem_(problem), sink_(sink), watch_(watch) {}
  ~row_delivery() {
    failed_ = true;
    if (thread_.joinable()) thread_.join();
  }
  row_delivery(const row_delivery&) = delete;
  row_delivery& operator=(const row_delivery&) = delete;

  /// Device memory that delivering a batch takes.
  static std::size_t workspace_bytes(const batch_layout& layout, std::size_t num_sources,
                                     std::size_t row_bytes) {
    if (layout.lanes == 1 || num_sources == 0) return 0;
    const std::size_t most_workers = piece_plan(num_sources, row_bytes).count();
    return saturated_product(std::min<std::size_t>(most_workers, transfers.max_threads),
                             saturated_product(layout.lanes, row_bytes));
  }

  /// Starts to deliver @p batch, whose memory must stay as it is until `wait`.
  void start(const solved_batch<C>& batch) {
    thread_ = std::thread([this, batch]() noexcept {
      try {
        APSP_CUDA_CHECK(cudaSetDevice(device_));
        deliver(batch);
      } catch (...) {
        failure_ = std::current_exception();
      }
    });
  }

  /// Waits for the batch that was started last.
  /// @throws what the delivery threw.
  void wait() {
    if (!thread_.joinable()) return;
    thread_.join();
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::size_t num_vertices() const { return problem_.arcs.num_vertices(); }

  void deliver(const solved_batch<C>& batch) {
    const std::vector<int> has_doubt = download_doubts(batch);
    const bool records = batch.predecessors != nullptr;
    const std::size_t n = num_vertices();
    const piece_plan plan(batch.num_sources,
                          n * (sizeof(C) + (records ? sizeof(std::int32_t) : 0)));
    std::atomic<std::size_t> next_tile{0};
    const auto deliver_pieces = [&](transfer_lane& lane) {
      const stream_handle stream(stream_handle::priority::highest);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
      piece_source source(batch, plan, n, next_tile, stream.get());
      try {
        unsigned slot = 0;
        for (piece p = source.fetch(lane, slot); p.count != 0;) {
          if (failed_ || watch_.stop_requested()) break;
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
        failed_ = true;
        cudaStreamSynchronize(stream.get());
        throw;
      }
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    };
    // Other loops run on another thread of the host.
    lanes_.run(plan, deliver_pieces, 1);
  }

  /// Rows of a batch that travel together.
  struct piece {
    std::size_t first;
    std::size_t count;
  };

  /// What one host thread fetches pieces from: tile after tile of sources is turned into rows on the
  /// device, all of its lanes at once, and leaves piece by piece.
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

    /// Starts to copy the next piece: its rows of distances, and behind them those of predecessors. Its
    /// count is 0 if there is none.
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
      const std::size_t across = std::min((n_ + gather.side - 1) / gather.side, gather.most_blocks);
      launch("gather_rows_kernel",
             {static_cast<unsigned>(across), dim3(gather.side, gather.rows_per_step), stream_},
             gather_rows_kernel<X>, entries, batch_.layout, n_, tile_begin_,
             tile_end_ - tile_begin_, rows);
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

  std::vector<int> download_doubts(const solved_batch<C>& batch) const {
    std::vector<int> has_doubt(batch.num_sources);
    if (batch.predecessors == nullptr) return has_doubt;
    const stream_handle stream(stream_handle::priority::highest);
    APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
    APSP_CUDA_CHECK(cudaMemcpyAsync(has_doubt.data(), batch.has_doubt,
                                    batch.num_sources * sizeof(int), cudaMemcpyDeviceToHost,
                                    stream.get()));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    return has_doubt;
  }

  void finish(std::size_t row, C* distances, std::int32_t* predecessors, bool is_doubtful) {
    const std::size_t n = num_vertices();
    if (is_doubtful) {
      const auto source = static_cast<std::size_t>(problem_.sources[row]);
      if constexpr (Join::is_sum) {
        remove_predecessor_loop(problem_.arcs, source, distances, predecessors);
      } else {
        const auto through = [&](std::size_t u, std::size_t a) {
          return Join::join(distances[u], problem_.arcs.weights[a]);
        };
        remove_predecessor_loop(problem_.arcs, source,
                                exact_slack(problem_.arcs, distances, through), predecessors);
      }
    }
    if (C* const wanted = sink_.distances(row)) {
      std::memcpy(wanted, distances, n * sizeof(C));
      distances = wanted;
    }
    if (predecessors != nullptr) {
      if (std::int32_t* const wanted = sink_.predecessors(row)) {
        std::memcpy(wanted, predecessors, n * sizeof(std::int32_t));
        predecessors = wanted;
      }
    }
    sink_.finish(row, distances, predecessors);
    watch_.advance(1);
  }

  int device_;
  const per_source_problem<C>& problem_;
  row_sink<C>& sink_;
  monitor& watch_;
  transfer_lanes lanes_;
  std::thread thread_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

}  // namespace apsp::detail::cuda
