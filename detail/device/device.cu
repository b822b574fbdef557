// SPDX-License-Identifier: BSL-1.0
#include <cuda_runtime.h>

#include <string>

#include "check.cuh"
#include "launch_target.hpp"

namespace apsp::inline v1::detail::cuda {

namespace {

/// Represents the kernels of the library, which are compiled for the same devices.
__global__ void probe_kernel() {}

std::string reason_of(cudaError_t status) {
  forget(status);
  if (status == cudaErrorInsufficientDriver) {
    int driver = -1;
    forget(cudaDriverGetVersion(&driver));
    if (driver == 0) return "there is no CUDA driver";
  }
  return cudaGetErrorString(status);
}

/// True for the errors that a failed kernel causes in every later call. They are no reason to fall
/// back to the host: the first CUDA call of the solver throws them.
bool was_left_by_a_kernel(cudaError_t status) {
  return status >= cudaErrorIllegalAddress && status <= cudaErrorLaunchFailure;
}

}  // namespace

int count_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  forget(status);
  return status == cudaSuccess ? count : 0;
}

std::string why_unusable(int device, CUstream_st* stream) {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    return reason_of(status);
  }
  if (count == 0) return "there is no CUDA device";
  if (device >= count) {
    return "there is no CUDA device number " + std::to_string(device) + "; there are " +
           std::to_string(count);
  }
  if (stream != nullptr) refuse_capture(stream);
  if (device < 0) {
    if (const cudaError_t status =
            stream == nullptr ? cudaGetDevice(&device) : cudaStreamGetDevice(stream, &device);
        status != cudaSuccess) {
      return reason_of(status);
    }
  }
  int has_memory_pools = 0;
  if (const cudaError_t status =
          cudaDeviceGetAttribute(&has_memory_pools, cudaDevAttrMemoryPoolsSupported, device);
      status != cudaSuccess) {
    return reason_of(status);
  }
  if (has_memory_pools == 0) return "the device has no memory pools";
  const device_guard guard(device, std::nothrow);
  if (guard.status() != cudaSuccess) return reason_of(guard.status());
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, probe_kernel);
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
    forget(status);
    return "the kernels are not compiled for this device's compute capability";
  }
  if (status == cudaSuccess || was_left_by_a_kernel(status)) return {};
  return reason_of(status);
}

}  // namespace apsp::inline v1::detail::cuda
