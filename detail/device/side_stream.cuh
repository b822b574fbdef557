// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include "check.cuh"
#include "stream.cuh"

namespace apsp::inline v1::detail::cuda {

/// A second stream, parallel to that of the call. Buffers used by its work must be declared before
/// it: when it is destroyed, later work on the call's stream waits for it.
class side_stream {
 public:
  side_stream(cudaStream_t main, stream_priority priority) : main_(main), stream_(priority) {}
  ~side_stream() {
    const cudaError_t recorded = cudaEventRecord(event_.get(), stream_.get());
    forget(recorded == cudaSuccess ? cudaStreamWaitEvent(main_, event_.get()) : recorded);
  }
  side_stream(const side_stream&) = delete;
  side_stream& operator=(const side_stream&) = delete;

  cudaStream_t get() const { return stream_.get(); }

  /// Later work on this stream waits for the work that is already on the call's stream.
  void wait_for_main() { order(main_, stream_.get()); }
  /// The reverse.
  void let_main_wait() { order(stream_.get(), main_); }

 private:
  void order(cudaStream_t earlier, cudaStream_t later) {
    APSP_CUDA_CHECK(cudaEventRecord(event_.get(), earlier));
    APSP_CUDA_CHECK(cudaStreamWaitEvent(later, event_.get()));
  }

  cudaStream_t main_;
  stream_handle stream_;
  event_handle event_;
};

}  // namespace apsp::inline v1::detail::cuda
