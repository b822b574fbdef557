// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <string>
#include <utility>

#include "../../apsp/error.hpp"

namespace apsp::detail::cuda {

/// Throws `device_error` with @p expression and CUDA's words for @p status, unless it is success.
inline void check(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a failed call must not be reported a second time, by the next check
  throw device_error(std::string(expression) + ": " + cudaGetErrorString(status));
}

#define APSP_CUDA_CHECK(call) ::apsp::detail::cuda::check((call), #call)

/// Where and how wide a kernel runs.
struct launch_shape {
  dim3 blocks;
  dim3 threads;
  cudaStream_t stream;
  std::size_t shared_bytes = 0;
};

/// Launches @p kernel. Its own status is checked, not the last error, which may be an old one of the
/// caller's.
template <class... Parameters, class... Arguments>
void launch(const char* name, const launch_shape& shape, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

/// Selects a device for as long as it lives.
class device_guard {
 public:
  explicit device_guard(int device) : device_guard(device, std::nothrow) {
    check(status_, "cudaSetDevice");
  }
  device_guard(int device, std::nothrow_t) noexcept {
    status_ = cudaGetDevice(&previous_);
    if (status_ != cudaSuccess || device == previous_) return;
    changed_ = true;  // a selection that fails may have selected
    status_ = cudaSetDevice(device);
  }
  ~device_guard() {
    // A failure must not be the error that somebody else finds.
    if (changed_ && cudaSetDevice(previous_) != cudaSuccess) cudaGetLastError();
  }
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

  cudaError_t status() const noexcept { return status_; }

 private:
  int previous_ = 0;
  bool changed_ = false;
  cudaError_t status_ = cudaSuccess;
};

/// An event that carries no time.
class event_handle {
 public:
  event_handle() { APSP_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~event_handle() { cudaEventDestroy(event_); }
  event_handle(const event_handle&) = delete;
  event_handle& operator=(const event_handle&) = delete;

  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A stream of the current device.
class stream_handle {
 public:
  enum class priority { ordinary, highest };

  explicit stream_handle(priority wanted) {
    int least = 0;
    int greatest = 0;
    APSP_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    APSP_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                                 wanted == priority::highest ? greatest : least));
    owned_ = true;
  }
  /// The caller's own stream, or a new one if there is none.
  explicit stream_handle(cudaStream_t borrowed)
      : stream_handle(borrowed == nullptr || borrowed == cudaStreamPerThread
                          ? stream_handle(priority::ordinary)
                          : stream_handle(borrowed, not_owned{})) {
    if (borrowed == cudaStreamPerThread) {
      is_waited_for_ = true;
      // It names another stream in every host thread that copies, so it only says when to begin.
      const event_handle before;
      APSP_CUDA_CHECK(cudaEventRecord(before.get(), borrowed));
      APSP_CUDA_CHECK(cudaStreamWaitEvent(stream_, before.get()));
    }
  }
  /// In the place of the caller's stream it is waited for, since nobody else could order what comes next
  /// after what it still has to do with memory of the caller's.
  ~stream_handle() {
    if (is_waited_for_) cudaStreamSynchronize(stream_);
    if (owned_) cudaStreamDestroy(stream_);
  }
  stream_handle(stream_handle&& other) noexcept
      : stream_(std::exchange(other.stream_, nullptr)),
        owned_(std::exchange(other.owned_, false)),
        is_waited_for_(std::exchange(other.is_waited_for_, false)) {}
  stream_handle& operator=(stream_handle&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(owned_, other.owned_);
    std::swap(is_waited_for_, other.is_waited_for_);
    return *this;
  }

  cudaStream_t get() const { return stream_; }
  /// False for a stream of the caller's.
  bool is_owned() const { return owned_; }

 private:
  struct not_owned {};
  stream_handle(cudaStream_t borrowed, not_owned) noexcept : stream_(borrowed) {}

  cudaStream_t stream_ = nullptr;
  bool owned_ = false;
  bool is_waited_for_ = false;
};

}  // namespace apsp::detail::cuda
