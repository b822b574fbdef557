// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
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

/// What a query has answered is no error that somebody else should find.
inline void forget_not_ready() {
  if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError();
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

/// Lets @p kernel use as much shared memory as it needs on the current device.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes)));
  APSP_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
}

}  // namespace apsp::detail::cuda
