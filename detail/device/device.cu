// SPDX-License-Identifier: BSL-1.0
#include <cuda_runtime.h>

#include <string>

#include "check.cuh"
#include "launch_target.hpp"

namespace apsp::detail::cuda {

namespace {

/// Stands for the kernels of the library: they are compiled for the same devices as this one.
__global__ void probe_kernel() {}

std::string reason_of(cudaError_t status) {
  cudaGetLastError();  // what is reported here must not fail the caller's next check
  int driver = 0;
  if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
      driver == 0) {
    return "there is no CUDA driver";
  }
  return cudaGetErrorString(status);
}

/// True for the errors that a kernel which has failed leaves behind for every later call. They are no
/// reason to run on the host instead: the solver's first call throws them.
bool was_left_by_a_kernel(cudaError_t status) {
  return status >= cudaErrorIllegalAddress && status <= cudaErrorLaunchFailure;
}

}  // namespace

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
    cudaGetLastError();
    return "the kernels are not compiled for this device's compute capability";
  }
  if (status == cudaSuccess || was_left_by_a_kernel(status)) return {};
  return reason_of(status);
}

}  // namespace apsp::detail::cuda
