// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "../host/monitor.hpp"
#include "../host/solve_outcome.hpp"
#include "buffer.cuh"
#include "check.cuh"
#include "stream.cuh"

namespace apsp::inline v1::detail::cuda {

/// A word of device memory by which the host asks long-running kernels to end. If the call is not
/// observed it has no overhead: there is no word, and waiting means synchronizing with the stream.
class stop_signal {
 public:
  stop_signal() = default;
  stop_signal(cudaStream_t stream, const monitor& watch, std::size_t bytes_needed)
      : stream_(stream), watch_(&watch) {
    if (!watch.is_observed()) return;
    flag_ = device_buffer<int>(1, stream, bytes_needed);
    APSP_CUDA_CHECK(cudaMemsetAsync(flag_.get(), 0, sizeof(int), stream));
    events_ = std::make_unique<events>();
    APSP_CUDA_CHECK(cudaEventRecord(events_->cleared.get(), stream));
  }

  /// The word that kernels poll: null, or not 0 when they are to end.
  const int* flag() const { return flag_.get(); }

  /// Waits until the work on the stream is done, or has ended after a stop request.
  solve_outcome wait() {
    if (!watch_->is_observed()) {
      APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
      return solve_outcome::finished;
    }
    APSP_CUDA_CHECK(cudaEventRecord(events_->done.get(), stream_));
    while (!is_done()) {
      if (watch_->stop_requested()) {
        send();
        APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
        return solve_outcome::stopped;
      }
      std::this_thread::sleep_for(poll_interval);
    }
    return solve_outcome::finished;
  }

 private:
  static constexpr std::chrono::microseconds poll_interval{100};

  struct events {
    event_handle cleared;
    event_handle done;
  };

  bool is_done() const {
    const cudaError_t status = cudaEventQuery(events_->done.get());
    if (status == cudaErrorNotReady) {
      forget(status);
      return false;
    }
    check(status, "cudaEventQuery");
    return true;
  }

  // Uses a copy: a memset may be a kernel, and the CUDA blocks that are to end may leave no room
  // for it.
  void send() {
    const stream_handle side(stream_priority::highest);
    static constexpr int yes = 1;
    APSP_CUDA_CHECK(cudaStreamWaitEvent(side.get(), events_->cleared.get()));
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(flag_.get(), &yes, sizeof(int), cudaMemcpyHostToDevice, side.get()));
    // The flag may be released as soon as the kernel has ended.
    APSP_CUDA_CHECK(cudaStreamSynchronize(side.get()));
  }

  cudaStream_t stream_ = nullptr;
  const monitor* watch_ = nullptr;
  device_buffer<int> flag_;
  std::unique_ptr<events> events_;
};

}  // namespace apsp::inline v1::detail::cuda
