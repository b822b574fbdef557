// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "check.cuh"
#include "resource_cache.cuh"

namespace apsp::inline v1::detail::cuda {

/// A stream of the current device; initially idle unless it is the caller's.
class stream_handle {
 public:
  explicit stream_handle(stream_priority priority)
      : home_(&resource_cache::current()),
        is_owned_(true),
        priority_(priority),
        stream_(home_->take_stream(priority)) {}
  /// Uses the caller's stream, or one of the library if there is none.
  explicit stream_handle(cudaStream_t borrowed)
      : stream_handle(borrowed == nullptr || borrowed == cudaStreamPerThread
                          ? stream_handle(stream_priority::ordinary)
                          : stream_handle(borrowed, not_owned{})) {
    if (borrowed == cudaStreamPerThread) {
      is_waited_for_ = true;
      // cudaStreamPerThread names a different stream in every host thread that copies, so it only
      // determines when to begin.
      const event_handle before;
      APSP_CUDA_CHECK(cudaEventRecord(before.get(), borrowed));
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream_, before.get()));
    }
  }
  /// If a library stream replaced the caller's stream, waits for it, since the caller cannot order
  /// later work after its accesses to the caller's memory.
  ~stream_handle() {
    if (is_waited_for_) forget(cudaStreamSynchronize(stream_));
    if (home_ == nullptr) return;  // moved from
    if (is_owned_) {
      home_->give_back(stream_, priority_);
    } else {
      home_->remember_work(stream_);
    }
  }
  stream_handle(stream_handle&& other) noexcept
      : home_(std::exchange(other.home_, nullptr)),
        is_owned_(other.is_owned_),
        priority_(other.priority_),
        stream_(std::exchange(other.stream_, nullptr)),
        is_waited_for_(std::exchange(other.is_waited_for_, false)) {}
  stream_handle& operator=(stream_handle&& other) noexcept {
    std::swap(home_, other.home_);
    std::swap(is_owned_, other.is_owned_);
    std::swap(priority_, other.priority_);
    std::swap(stream_, other.stream_);
    std::swap(is_waited_for_, other.is_waited_for_);
    return *this;
  }

  cudaStream_t get() const { return stream_; }
  /// False for a caller's stream.
  bool is_owned() const { return is_owned_; }

 private:
  struct not_owned {};
  stream_handle(cudaStream_t borrowed, not_owned)
      : home_(&resource_cache::current()), stream_(borrowed) {}

  resource_cache* home_ = nullptr;
  bool is_owned_ = false;  ///< False for a caller's stream.
  stream_priority priority_ = stream_priority::ordinary;
  cudaStream_t stream_ = nullptr;
  bool is_waited_for_ = false;
};

}  // namespace apsp::inline v1::detail::cuda
