// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <thread>
#include <utility>

#include "check.cuh"
#include "host_team.hpp"

// Copies between a matrix on the device and pageable rows on the host. A direct copy of pageable
// memory is made by one thread of the driver; here the device copies to or from one pinned buffer
// while several host threads empty or fill the other.
namespace apsp::detail::cuda {

struct transfer_tuning {
  /// Large enough to hide the start of a copy, small enough to be pinned quickly.
  std::size_t piece_bytes = std::size_t{8} << 20;
  /// Less than this is copied by the calling thread alone.
  std::size_t bytes_per_thread = std::size_t{1} << 20;
  unsigned max_threads = 16;
};
inline constexpr transfer_tuning transfers{};

/// Two pinned buffers, and for each the event after which the device has done with it.
class staging {
 public:
  staging() = default;
  ~staging() { release(); }
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;

  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    release();
    for (void*& memory : memory_) {
      APSP_CUDA_CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
    }
    bytes_ = bytes;
  }

  template <class T>
  T* buffer(std::size_t piece) const {
    return static_cast<T*>(memory_[piece % memory_.size()]);
  }
  void record(std::size_t piece, cudaStream_t stream) {
    APSP_CUDA_CHECK(cudaEventRecord(done_[piece % done_.size()].get(), stream));
  }
  void wait(std::size_t piece) {
    APSP_CUDA_CHECK(cudaEventSynchronize(done_[piece % done_.size()].get()));
  }

 private:
  void release() {
    for (void*& memory : memory_) {
      if (memory != nullptr) cudaFreeHost(std::exchange(memory, nullptr));
    }
    bytes_ = 0;
  }

  std::array<void*, 2> memory_{};
  std::array<event_handle, 2> done_;
  std::size_t bytes_ = 0;
};

/// How a number of rows (or of single arcs) is cut for the staging buffers.
struct piece_plan {
  std::size_t total;
  std::size_t per_piece;

  piece_plan(std::size_t count, std::size_t bytes_each)
      : total(count),
        per_piece(std::clamp<std::size_t>(transfers.piece_bytes / bytes_each, 1, count)) {}

  std::size_t count() const { return (total + per_piece - 1) / per_piece; }
  std::size_t begin(std::size_t piece) const { return piece * per_piece; }
  std::size_t size(std::size_t piece) const { return std::min(per_piece, total - begin(piece)); }
};

inline unsigned transfer_threads(std::size_t bytes) {
  const std::size_t wanted = bytes / transfers.bytes_per_thread;
  const unsigned available = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(
      std::clamp<std::size_t>(wanted, 1, std::min(available, transfers.max_threads)));
}

/// Calls copy(row, first, count) for the elements of one part of @p rows rows of @p columns.
template <class Copy>
void for_each_row_segment(std::size_t rows, std::size_t columns, unsigned part, unsigned parts,
                          Copy&& copy) {
  const std::size_t size = rows * columns;
  std::size_t begin = size / parts * part + std::min<std::size_t>(part, size % parts);
  const std::size_t end = begin + size / parts + (part < size % parts ? 1 : 0);
  while (begin < end) {
    const std::size_t row = begin / columns;
    const std::size_t first = begin % columns;
    const std::size_t count = std::min(columns - first, end - begin);
    copy(row, first, count);
    begin += count;
  }
}

/// Fills the n x n entries of @p device from @p rows. All of @p rows has been read on return.
template <class T>
void upload_rows(staging& buffers, cudaStream_t stream, T* device, std::size_t pitch,
                 const T* const* rows, std::size_t n) {
  const std::size_t row_bytes = n * sizeof(T);
  const piece_plan plan(n, row_bytes);
  buffers.reserve(plan.per_piece * row_bytes);
  host_team team(transfer_threads(n * row_bytes));
  for (std::size_t p = 0; p < plan.count(); ++p) {
    if (p >= 2) buffers.wait(p);
    T* const packed = buffers.buffer<T>(p);
    const T* const* const from = rows + plan.begin(p);
    team.run([&](unsigned part, unsigned parts) {
      for_each_row_segment(
          plan.size(p), n, part, parts, [&](std::size_t row, std::size_t first, std::size_t count) {
            std::memcpy(packed + row * n + first, from[row] + first, count * sizeof(T));
          });
    });
    APSP_CUDA_CHECK(cudaMemcpy2DAsync(device + plan.begin(p) * pitch, pitch * sizeof(T), packed,
                                      row_bytes, row_bytes, plan.size(p), cudaMemcpyHostToDevice,
                                      stream));
    buffers.record(p, stream);
  }
}

/// Fills @p rows from the n x n entries of @p device, and waits for it.
template <class T>
void download_rows(staging& buffers, cudaStream_t stream, const T* device, std::size_t pitch,
                   T* const* rows, std::size_t n) {
  const std::size_t row_bytes = n * sizeof(T);
  const piece_plan plan(n, row_bytes);
  buffers.reserve(plan.per_piece * row_bytes);
  const auto start = [&](std::size_t p) {
    APSP_CUDA_CHECK(cudaMemcpy2DAsync(buffers.buffer<T>(p), row_bytes,
                                      device + plan.begin(p) * pitch, pitch * sizeof(T), row_bytes,
                                      plan.size(p), cudaMemcpyDeviceToHost, stream));
    buffers.record(p, stream);
  };
  start(0);
  host_team team(transfer_threads(n * row_bytes));
  for (std::size_t p = 0; p < plan.count(); ++p) {
    if (p + 1 < plan.count()) start(p + 1);
    buffers.wait(p);
    const T* const packed = buffers.buffer<T>(p);
    T* const* const to = rows + plan.begin(p);
    team.run([&](unsigned part, unsigned parts) {
      for_each_row_segment(
          plan.size(p), n, part, parts, [&](std::size_t row, std::size_t first, std::size_t count) {
            std::memcpy(to[row] + first, packed + row * n + first, count * sizeof(T));
          });
    });
  }
}

/// Copies @p values piece by piece to @p device, which holds `piece_plan::per_piece` of them, and
/// calls consume(count) after each copy has been put on the stream.
template <class T, class Consume>
void upload_pieces(staging& buffers, cudaStream_t stream, T* device, std::span<const T> values,
                   Consume&& consume) {
  const piece_plan plan(values.size(), sizeof(T));
  buffers.reserve(plan.per_piece * sizeof(T));
  host_team team(transfer_threads(values.size_bytes()));
  for (std::size_t p = 0; p < plan.count(); ++p) {
    if (p >= 2) buffers.wait(p);
    T* const packed = buffers.buffer<T>(p);
    const T* const from = values.data() + plan.begin(p);
    team.run([&](unsigned part, unsigned parts) {
      for_each_row_segment(1, plan.size(p), part, parts,
                           [&](std::size_t, std::size_t first, std::size_t count) {
                             std::memcpy(packed + first, from + first, count * sizeof(T));
                           });
    });
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(device, packed, plan.size(p) * sizeof(T), cudaMemcpyHostToDevice, stream));
    buffers.record(p, stream);
    consume(plan.size(p));
  }
}

}  // namespace apsp::detail::cuda
