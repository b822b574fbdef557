// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "../host/monitor.hpp"
#include "check.cuh"

namespace apsp::inline v1::detail::cuda {

/// Reports the progress of the device to the observer. At most two steps are on the stream at a
/// time: at most two steps complete after a stop request, and the device executes the next step
/// while the host handles the previous one. Does nothing if the call is not observed; the host then
/// runs ahead of the device.
class device_progress {
 public:
  device_progress(monitor& watch, cudaStream_t stream) : watch_(watch), stream_(stream) {
    if (watch.is_observed()) done_.emplace();
  }
  ~device_progress() {
    // On every exit, including an exception of the callback, the device must have finished with the
    // caller's stream.
    if (pending_) forget(cudaEventSynchronize(latest().get()));
  }
  device_progress(const device_progress&) = delete;
  device_progress& operator=(const device_progress&) = delete;

  bool is_observed() const { return done_.has_value(); }
  monitor& watch() const { return watch_; }

  /// To be called after a step over @p pivots pivots has been enqueued.
  /// @return false if no more steps should be enqueued.
  bool step(std::size_t pivots) {
    if (!done_) return true;
    const std::size_t before = std::exchange(pending_pivots_, pivots);
    const bool had_pending = std::exchange(pending_, true);
    slot_ = 1 - slot_;
    APSP_CUDA_CHECK(cudaEventRecord(latest().get(), stream_));
    if (had_pending) {
      APSP_CUDA_CHECK(cudaEventSynchronize((*done_)[1 - slot_].get()));
      watch_.advance(before);
    }
    return !watch_.stop_requested();
  }

  /// Waits for the last step.
  /// @return false if the call is to stop.
  bool finish() {
    if (pending_) {
      APSP_CUDA_CHECK(cudaEventSynchronize(latest().get()));
      pending_ = false;
      watch_.advance(pending_pivots_);
    }
    return !watch_.stop_requested();
  }

 private:
  const event_handle& latest() const { return (*done_)[slot_]; }

  monitor& watch_;
  cudaStream_t stream_;
  std::optional<std::array<event_handle, 2>> done_;
  std::size_t slot_ = 0;
  std::size_t pending_pivots_ = 0;
  bool pending_ = false;  ///< The latest step has not been waited for.
};

}  // namespace apsp::inline v1::detail::cuda
