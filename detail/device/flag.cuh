// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "buffer.cuh"
#include "check.cuh"

namespace apsp::detail::cuda {

/// A word in device memory by which kernels on a stream tell the host one thing.
class device_flag {
 public:
  device_flag() = default;
  /// @param bytes_needed  by the whole call, for the message if there is too little memory.
  device_flag(cudaStream_t stream, std::size_t bytes_needed)
      : word_(1, stream, bytes_needed), stream_(stream) {}

  int* get() const { return word_.get(); }
  void clear() { APSP_CUDA_CHECK(cudaMemsetAsync(word_.get(), 0, sizeof(int), stream_)); }
  /// Waits for what is on the stream.
  bool read() { return value() != 0; }
  /// The same, where the kernels tell more than one thing.
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

}  // namespace apsp::detail::cuda
