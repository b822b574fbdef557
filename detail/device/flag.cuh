// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "buffer.cuh"
#include "check.cuh"

namespace apsp::inline v1::detail::cuda {

/// A word in device memory through which the kernels of a stream report one fact to the host.
class device_flag {
 public:
  device_flag() = default;
  /// @param bytes_needed  of the whole call, for the error message if there is too little memory.
  device_flag(cudaStream_t stream, std::size_t bytes_needed)
      : word_(1, stream, bytes_needed), stream_(stream) {}

  int* get() const { return word_.get(); }
  void clear() { APSP_CUDA_CHECK(cudaMemsetAsync(word_.get(), 0, sizeof(int), stream_)); }
  /// Waits for the work on the stream.
  bool read() { return value() != 0; }
  /// The same, if the kernels report more than one fact.
  int value() {
    int word = 0;
    APSP_CUDA_CHECK(
        cudaMemcpyAsync(&word, word_.get(), sizeof(int), cudaMemcpyDeviceToHost, stream_));
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return word;
  }

 private:
  device_buffer<int> word_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace apsp::inline v1::detail::cuda
