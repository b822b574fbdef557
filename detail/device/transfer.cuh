// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "../host/parallel_for.hpp"
#include "check.cuh"
#include "context.cuh"
#include "stream.cuh"

// Copies between a matrix on the device and pageable rows on the host. The driver copies pageable
// memory with one thread, at a fraction of the bus bandwidth. Here each of several host threads has
// two pinned buffers: while the device copies to or from one, the thread empties or fills the
// other.
namespace apsp::inline v1::detail::cuda {

struct transfer_tuning {
  /// Large enough to hide the latency of a copy, small enough to be pinned quickly.
  std::size_t piece_bytes = std::size_t{1} << 20;
  /// Of copies to and from rows. They reach the bandwidth of the bus.
  unsigned max_threads = 8;
  /// Of work that does more than copying.
  unsigned max_busy_threads = 16;
};
inline constexpr transfer_tuning transfers{};

class pinned_buffer {
 public:
  pinned_buffer() = default;
  explicit pinned_buffer(std::size_t bytes) : bytes_(bytes) {
    const cudaError_t status = cudaHostAlloc(&memory_, bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
      forget(status);
      throw std::bad_alloc();
    }
    check(status, "cudaHostAlloc");
  }
  ~pinned_buffer() {
    if (memory_ != nullptr) forget(cudaFreeHost(memory_));
  }
  pinned_buffer(pinned_buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  pinned_buffer& operator=(pinned_buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  void* get() const { return memory_; }
  std::size_t size() const { return bytes_; }

  /// False if a device reset has released the memory.
  bool is_pinned() const {
    cudaPointerAttributes attributes{};
    const cudaError_t status = cudaPointerGetAttributes(&attributes, memory_);
    forget(status);
    return status == cudaSuccess && attributes.type == cudaMemoryTypeHost;
  }
  /// Drops the pointer without freeing the memory.
  void abandon() { memory_ = nullptr; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Keeps pinned buffers for later transfers: pinning memory takes as long as copying many times
/// that amount. Shared by all threads and devices.
class pinned_pool {
 public:
  static pinned_pool& instance() {
    // Never destroyed: the CUDA runtime may have shut down when static objects are destroyed.
    static pinned_pool* const pool = new pinned_pool;
    return *pool;
  }

  pinned_buffer take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      while (bytes <= transfers.piece_bytes && !kept_.empty()) {
        pinned_buffer buffer = std::move(kept_.back());
        kept_.pop_back();
        if (buffer.is_pinned()) return buffer;
        buffer.abandon();
      }
    }
    return pinned_buffer(std::max(bytes, transfers.piece_bytes));
  }

  void give_back(pinned_buffer buffer) noexcept {
    const std::lock_guard lock(mutex_);
    if (buffer.size() == transfers.piece_bytes && kept_.size() < kept_.capacity()) {
      kept_.push_back(std::move(buffer));
    }
  }

 private:
  pinned_pool() { kept_.reserve(std::size_t{2} * transfers.max_busy_threads); }

  std::mutex mutex_;
  std::vector<pinned_buffer> kept_;
};

/// The resources through which one host thread copies: two buffers, each with an event that marks
/// when the device has finished with it.
class transfer_lane {
 public:
  transfer_lane() = default;
  ~transfer_lane() {
    wait_for_all();
    for (pinned_buffer& buffer : buffers_) {
      if (buffer.get() != nullptr) pinned_pool::instance().give_back(std::move(buffer));
    }
  }
  transfer_lane(const transfer_lane&) = delete;
  transfer_lane& operator=(const transfer_lane&) = delete;

  void reserve(std::size_t bytes) {
    for (pinned_buffer& buffer : buffers_) {
      if (buffer.size() < bytes) buffer = pinned_pool::instance().take(bytes);
    }
  }
  template <class T>
  T* buffer(unsigned slot) const {
    return static_cast<T*>(buffers_[slot].get());
  }
  /// A stream owned by the lane.
  cudaStream_t stream() {
    if (!stream_) stream_.emplace(stream_priority::highest);
    return stream_->get();
  }
  void record(unsigned slot, cudaStream_t stream) {
    APSP_CUDA_CHECK(cudaEventRecord(done_[slot].get(), stream));
  }
  void wait(unsigned slot) { APSP_CUDA_CHECK(cudaEventSynchronize(done_[slot].get())); }
  void wait_for_all() noexcept {
    for (const event_handle& done : done_) forget(cudaEventSynchronize(done.get()));
  }

 private:
  std::array<pinned_buffer, 2> buffers_;
  std::array<event_handle, 2> done_;
  std::optional<stream_handle> stream_;
};

/// How rows, or arcs, are divided into pieces for the buffers.
struct piece_plan {
  std::size_t total;
  std::size_t per_piece;
  std::size_t piece_bytes;

  piece_plan(std::size_t count, std::size_t bytes_each)
      : total(count),
        per_piece(std::clamp<std::size_t>(transfers.piece_bytes / bytes_each, 1, count)),
        piece_bytes(per_piece * bytes_each) {}

  std::size_t count() const { return (total + per_piece - 1) / per_piece; }
  std::size_t begin(std::size_t piece) const { return piece * per_piece; }
  std::size_t size(std::size_t piece) const { return std::min(per_piece, total - begin(piece)); }
};

/// The host threads of one solver's transfers and their resources.
class transfer_lanes {
 public:
  /// Calls work(lane) on several host threads, in the CUDA context of this one, and waits for all
  /// of them.
  /// @param busy  number of host threads that other work keeps busy; the team is smaller by that
  ///              number. Otherwise it has the size used by other loops, since a team of another
  ///              size would have to be created. Idle team members spin for a while, so one thread
  ///              too many would compete with the busy ones.
  /// @param most  threads
  /// @throws the exception of the first call that fails.
  template <class Work>
  void run(const piece_plan& plan, Work&& work, int busy = 0,
           unsigned most = transfers.max_threads) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency()) / sharing_ - busy;
    const std::size_t wanted =
        std::min({plan.count(), static_cast<std::size_t>(std::max(cores, 1)), std::size_t{most}});
    while (lanes_.size() < wanted) lanes_.push_back(std::make_unique<transfer_lane>());
    const shared_context context;
    host::parallel_for(
        wanted, std::max(host::thread_count(0) / sharing_ - busy, static_cast<int>(wanted)),
        [&](std::size_t i) {
          const shared_context::use in_context(context);
          lanes_[i]->reserve(plan.piece_bytes);
          try {
            work(*lanes_[i]);
          } catch (...) {
            // The device may still access the caller's memory.
            lanes_[i]->wait_for_all();
            throw;
          }
        },
        1);
  }

  /// To be called if @p sharing such objects are used at the same time: each takes its part of the
  /// cores.
  void share_cores(int sharing) { sharing_ = sharing; }

 private:
  int sharing_ = 1;
  std::vector<std::unique_ptr<transfer_lane>> lanes_;
};

/// A matrix in device memory that rows of the host are copied to or from.
template <class T>
struct transferred_matrix {
  T* entries;
  std::size_t pitch;
  std::size_t num_rows;
  std::size_t columns;
};

/// Fills @p matrix from @p rows. All of @p rows has been read on return.
template <class T>
void upload_rows(transfer_lanes& lanes, cudaStream_t stream, const transferred_matrix<T>& matrix,
                 const T* const* rows) {
  const std::size_t pitch = matrix.pitch;
  const std::size_t num_rows = matrix.num_rows;
  const std::size_t columns = matrix.columns;
  if (num_rows == 0 || columns == 0) return;
  const std::size_t row_bytes = columns * sizeof(T);
  const piece_plan plan(num_rows, row_bytes);
  std::atomic<std::size_t> next_piece{0};
  lanes.run(plan, [&](transfer_lane& lane) {
    unsigned slot = 0;
    for (std::size_t p = next_piece++; p < plan.count(); p = next_piece++) {
      lane.wait(slot);
      T* const packed = lane.buffer<T>(slot);
      for (std::size_t i = 0; i < plan.size(p); ++i) {
        std::memcpy(packed + i * columns, rows[plan.begin(p) + i], row_bytes);
      }
      T* const to = matrix.entries + plan.begin(p) * pitch;
      APSP_CUDA_CHECK(cudaMemcpy2DAsync(to, pitch * sizeof(T), packed, row_bytes, row_bytes,
                                        plan.size(p), cudaMemcpyHostToDevice, stream));
      lane.record(slot, stream);
      slot = 1 - slot;
    }
  });
}
/// Stores a row as it is.
struct copy_row {
  template <class T>
  void operator()(T* row, const T* from, std::size_t columns) const {
    std::memcpy(row, from, columns * sizeof(T));
  }
};
/// Rows of a matrix that are final when an event has happened.
struct ready_rows {
  std::size_t begin;
  std::size_t count;
  event_handle ready;
};
/// Brings the entries of @p matrix to @p rows, and waits for completion.
/// @param put  called as put(row, from, columns) for every row, on several threads.
/// @param parts  all rows in the order in which they become final, or nothing: then all are when
///               the work on @p stream is done.
template <class T, class Put = copy_row>
void download_rows(transfer_lanes& lanes, cudaStream_t stream,
                   const transferred_matrix<const T>& matrix, T* const* rows, Put put = {},
                   std::span<const ready_rows> parts = {}) {
  const std::size_t pitch = matrix.pitch;
  const std::size_t num_rows = matrix.num_rows;
  const std::size_t columns = matrix.columns;
  if (num_rows == 0 || columns == 0) return;
  const std::size_t row_bytes = columns * sizeof(T);
  const piece_plan plan(num_rows, row_bytes);
  struct piece {
    std::size_t begin;
    std::size_t count;
    cudaEvent_t ready;
  };
  std::vector<piece> pieces;
  const auto add_pieces = [&](std::size_t begin, std::size_t count, cudaEvent_t ready) {
    for (std::size_t done = 0; done < count; done += plan.per_piece) {
      pieces.push_back({begin + done, std::min(plan.per_piece, count - done), ready});
    }
  };
  for (const ready_rows& part : parts) add_pieces(part.begin, part.count, part.ready.get());
  if (parts.empty()) add_pieces(0, num_rows, nullptr);
  std::atomic<std::size_t> next_piece{0};
  lanes.run(plan, [&](transfer_lane& lane) {
    const auto start = [&](unsigned slot) {
      const std::size_t p = next_piece++;
      if (p < pieces.size()) {
        const piece& rows_of = pieces[p];
        cudaStream_t on = stream;
        if (rows_of.ready != nullptr) {
          on = lane.stream();
          APSP_CUDA_CHECK(cudaStreamWaitEvent(on, rows_of.ready));
        }
        APSP_CUDA_CHECK(cudaMemcpy2DAsync(lane.buffer<T>(slot), row_bytes,
                                          matrix.entries + rows_of.begin * pitch, pitch * sizeof(T),
                                          row_bytes, rows_of.count, cudaMemcpyDeviceToHost, on));
        lane.record(slot, on);
      }
      return p;
    };
    unsigned slot = 0;
    for (std::size_t p = start(slot); p < pieces.size();) {
      const std::size_t following = start(1 - slot);
      lane.wait(slot);
      const T* const packed = lane.buffer<T>(slot);
      for (std::size_t i = 0; i < pieces[p].count; ++i) {
        put(rows[pieces[p].begin + i], packed + i * columns, columns);
      }
      p = following;
      slot = 1 - slot;
    }
  });
}
/// Copies @p values piece by piece to @p memory, which holds `piece_plan::per_piece` of them, and
/// calls consume(count) after each copy has been enqueued on the stream.
template <class T, class Consume>
void upload_pieces(transfer_lanes& lanes, cudaStream_t stream, T* memory, std::span<const T> values,
                   Consume&& consume) {
  const piece_plan plan(values.size(), sizeof(T));
  std::atomic<std::size_t> next_piece{0};
  std::mutex stream_mutex;
  lanes.run(plan, [&](transfer_lane& lane) {
    unsigned slot = 0;
    for (std::size_t p = next_piece++; p < plan.count(); p = next_piece++) {
      lane.wait(slot);
      T* const packed = lane.buffer<T>(slot);
      std::memcpy(packed, values.data() + plan.begin(p), plan.size(p) * sizeof(T));
      // A piece must be consumed before the next one overwrites it.
      const std::lock_guard lock(stream_mutex);
      APSP_CUDA_CHECK(cudaMemcpyAsync(memory, packed, plan.size(p) * sizeof(T),
                                      cudaMemcpyHostToDevice, stream));
      lane.record(slot, stream);
      consume(plan.size(p));
      slot = 1 - slot;
    }
  });
}

}  // namespace apsp::inline v1::detail::cuda
