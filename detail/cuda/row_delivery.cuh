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
#include "source_batch.cuh"
#include "transfer.cuh"

// How the rows of a solved batch reach the host.
namespace apsp::detail::cuda {

struct gather_tuning {
  unsigned side = 32;  ///< Sources and vertices of a piece that is turned in shared memory.
  unsigned rows_per_step = 4;
  /// A block must find room beside those that solve for the next batch, which take nearly all registers
  /// of a multiprocessor: this many blocks in all of them leaves each 32 registers a thread.
  unsigned blocks = 16;
};
inline constexpr gather_tuning gather{};

/// Copies @p count rows from source @p first on, entry after entry, to @p rows. The memory may be the
/// host's: whole warps write whole lines.
template <class X>
__global__ void __launch_bounds__(gather.side* gather.rows_per_step, gather.blocks)
    gather_rows_kernel(const X* entries, batch_layout layout, std::size_t n, std::size_t first,
                       std::size_t count, X* rows) {
  __shared__ X turned[gather.side][gather.side + 1];
  const std::size_t s_begin = std::size_t{blockIdx.y} * gather.side;
  const std::size_t v_step = std::size_t{gridDim.x} * gather.side;
  for (std::size_t v_begin = std::size_t{blockIdx.x} * gather.side; v_begin < n;
       v_begin += v_step) {
    for (unsigned j = threadIdx.y; j < gather.side; j += gather.rows_per_step) {
      const std::size_t s = s_begin + threadIdx.x;
      const std::size_t v = v_begin + j;
      if (s < count && v < n) turned[j][threadIdx.x] = entries[layout.index(first + s, v, n)];
    }
    __syncthreads();
    for (unsigned j = threadIdx.y; j < gather.side; j += gather.rows_per_step) {
      const std::size_t s = s_begin + j;
      const std::size_t v = v_begin + threadIdx.x;
      if (s < count && v < n) rows[s * n + v] = turned[threadIdx.x][j];
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
template <class C>
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
    const std::size_t row_bytes = n * (sizeof(C) + (records ? sizeof(std::int32_t) : 0));
    const piece_plan plan(batch.num_sources, row_bytes);
    std::atomic<std::size_t> next_piece{0};
    lanes_.run(plan, device_, [&](transfer_lane& lane) {
      const stream_handle stream(stream_handle::priority::highest);
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), batch.ready));
      const auto predecessors_of = [&](unsigned slot, std::size_t piece) {
        return reinterpret_cast<std::int32_t*>(lane.buffer<C>(slot) + plan.size(piece) * n);
      };
      const auto fetch = [&](unsigned slot) {
        const std::size_t p = next_piece++;
        if (p < plan.count()) {
          gather_rows(batch, batch.distances, plan, p, lane.buffer<C>(slot), stream.get());
          if (records) {
            gather_rows(batch, batch.predecessors, plan, p, predecessors_of(slot, p), stream.get());
          }
          lane.record(slot, stream.get());
        }
        return p;
      };
      try {
        unsigned slot = 0;
        for (std::size_t p = fetch(slot); p < plan.count();) {
          if (failed_ || watch_.stop_requested()) break;
          const std::size_t following = fetch(1 - slot);
          lane.wait(slot);
          for (std::size_t i = 0; i < plan.size(p); ++i) {
            finish(batch.first_row + plan.begin(p) + i, lane.buffer<C>(slot) + i * n,
                   records ? predecessors_of(slot, p) + i * n : nullptr,
                   records && has_doubt[plan.begin(p) + i] != 0);
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
    });
  }

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

  template <class X>
  void gather_rows(const solved_batch<C>& batch, const X* entries, const piece_plan& plan,
                   std::size_t piece, X* rows, cudaStream_t stream) const {
    const std::size_t n = num_vertices();
    const std::size_t first = plan.begin(piece);
    const std::size_t count = plan.size(piece);
    if (batch.layout.lanes == 1) {
      APSP_CUDA_CHECK(cudaMemcpyAsync(rows, entries + first * n, count * n * sizeof(X),
                                      cudaMemcpyDeviceToHost, stream));
      return;
    }
    constexpr std::size_t most_blocks = 1024;
    const std::size_t across = std::min((n + gather.side - 1) / gather.side, most_blocks);
    const std::size_t down = (count + gather.side - 1) / gather.side;
    launch("gather_rows_kernel",
           {dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)),
            dim3(gather.side, gather.rows_per_step), stream},
           gather_rows_kernel<X>, entries, batch.layout, n, first, count, rows);
  }

  void finish(std::size_t row, C* distances, std::int32_t* predecessors, bool is_doubtful) {
    const std::size_t n = num_vertices();
    if (is_doubtful) {
      remove_predecessor_loop(problem_.arcs, static_cast<std::size_t>(problem_.sources[row]),
                              distances, predecessors);
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
