// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>
#ifdef APSP_WITH_NVTX
#include <nvtx3/nvtx3.hpp>
#endif

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "../../apsp/algorithm.hpp"
#include "../../apsp/error.hpp"

namespace apsp::inline v1::detail::cuda {

/// Throws `device_error` with @p expression and CUDA's description of @p status, unless it is
/// success.
inline void check(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that the next check does not report it again
  throw device_error(std::string(expression) + ": " + cudaGetErrorString(status));
}

/// Clears @p status, of a call that may fail, so that later checks do not report it as an error.
inline void forget(cudaError_t status) noexcept {
  if (status != cudaSuccess && cudaPeekAtLastError() == status) cudaGetLastError();
}

#define APSP_CUDA_CHECK(call) ::apsp::detail::cuda::check((call), #call)

/// To be called before any other use of a caller's stream: most of them would end a capture.
/// @throws std::invalid_argument if @p stream is under capture. Calls allocate memory and wait for
/// the device, so a CUDA graph cannot contain one.
inline void refuse_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t status = cudaStreamIsCapturing(stream, &capture);
  forget(status);  // the first use of the stream reports other errors
  if (status == cudaErrorStreamCaptureImplicit) {
    throw std::invalid_argument(
        "apsp: expected a stream outside of captures, got the default stream while a stream that "
        "it synchronizes with is under capture");
  }
  if (status == cudaSuccess && capture != cudaStreamCaptureStatusNone) {
    throw std::invalid_argument(
        "apsp: expected a stream outside of captures, got a stream under capture");
  }
}

/// The stream and the dimensions of a kernel launch.
struct launch_shape {
  dim3 blocks;
  dim3 threads;
  cudaStream_t stream;
  std::size_t shared_bytes = 0;
  bool is_cooperative = false;  ///< All blocks run at the same time.
};

// A range of NVTX, for the tools of Nsight, until the end of the block: a phase of a call, or in it
// the launch of a kernel. Phases have the names of algorithms, or "preparation" or "delivery".
#ifdef APSP_WITH_NVTX
#define APSP_RANGE(name) const ::nvtx3::scoped_range apsp_range(name)
#else
#define APSP_RANGE(name) static_cast<void>(0)
#endif
#define APSP_RANGE_OF(method) APSP_RANGE(to_string(method).data())

/// Launches @p kernel. Checks the status of this launch, not the last error, which may be an
/// earlier one of the caller.
template <class... Parameters, class... Arguments>
void launch(const char* name, const launch_shape& shape, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  APSP_RANGE(name);
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  config.attrs = &cooperative;
  config.numAttrs = shape.is_cooperative ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

/// Selects a device for the lifetime of this object.
class device_guard {
 public:
  explicit device_guard(int device) : device_guard(device, std::nothrow) {
    check(status_, "cudaSetDevice");
  }
  device_guard(int device, std::nothrow_t) noexcept {
    status_ = cudaGetDevice(&previous_);
    if (status_ == cudaSuccess && device != previous_) {
      changed_ = true;  // a selection that fails may still have changed the device
      status_ = cudaSetDevice(device);
    }
    forget(status_);
  }
  ~device_guard() {
    if (changed_) forget(cudaSetDevice(previous_));
  }
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

  cudaError_t status() const noexcept { return status_; }

 private:
  int previous_ = 0;
  bool changed_ = false;
  cudaError_t status_ = cudaSuccess;
};

/// An event without timing.
class event_handle {
 public:
  event_handle() { APSP_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~event_handle() {
    if (event_ != nullptr) forget(cudaEventDestroy(event_));
  }
  event_handle(event_handle&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  event_handle& operator=(event_handle&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

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

}  // namespace apsp::inline v1::detail::cuda
