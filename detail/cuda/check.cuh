// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <new>
#include <string>

#include "../../apsp/error.hpp"

namespace apsp::detail::cuda {

/// Throws `device_error` with @p expression and CUDA's words for @p status, unless it is success.
inline void check(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a failed call must not be reported a second time, by the next check
  throw device_error(std::string(expression) + ": " + cudaGetErrorString(status));
}

#define APSP_CUDA_CHECK(call) ::apsp::detail::cuda::check((call), #call)

/// To follow every kernel launch: a launch returns nothing, its failure is the last error.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
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
    status_ = cudaSetDevice(device);
    changed_ = status_ == cudaSuccess;
  }
  ~device_guard() {
    if (changed_) cudaSetDevice(previous_);
  }
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

  cudaError_t status() const noexcept { return status_; }

 private:
  int previous_ = 0;
  bool changed_ = false;
  cudaError_t status_ = cudaSuccess;
};

/// A stream of the current device: the caller's own, or a private one if the caller names none.
class stream_handle {
 public:
  explicit stream_handle(cudaStream_t borrowed) : stream_(borrowed) {
    if (borrowed != nullptr) return;
    APSP_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    owned_ = true;
  }
  ~stream_handle() {
    if (owned_) cudaStreamDestroy(stream_);
  }
  stream_handle(const stream_handle&) = delete;
  stream_handle& operator=(const stream_handle&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_;
  bool owned_ = false;
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

}  // namespace apsp::detail::cuda
