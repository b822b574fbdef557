// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <apsp/error.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// RAII classes for CUDA memory, streams and events, and checked calls.
namespace studies {

/// @throws apsp::device_error with @p expression and CUDA's message, unless @p status is success.
inline void check(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // the next check must not report the error again
  throw apsp::device_error(std::string(expression) + ": " + cudaGetErrorString(status));
}

#define STUDIES_CUDA_CHECK(call) ::studies::check((call), #call)

struct cuda_deleter {
  void operator()(CUstream_st* stream) const noexcept { cudaStreamDestroy(stream); }
  void operator()(CUevent_st* event) const noexcept { cudaEventDestroy(event); }
};
struct device_deleter {
  void operator()(void* memory) const noexcept { cudaFree(memory); }
};
struct pinned_deleter {
  void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

using stream = std::unique_ptr<CUstream_st, cuda_deleter>;
using event = std::unique_ptr<CUevent_st, cuda_deleter>;
template <class T>
using device_array = std::unique_ptr<T[], device_deleter>;
/// Pinned host memory.
template <class T>
using pinned_array = std::unique_ptr<T[], pinned_deleter>;

inline stream make_stream() {
  cudaStream_t made = nullptr;
  STUDIES_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return stream(made);
}

/// @param flags  `cudaEventDisableTiming` for an event that only orders streams.
inline event make_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t made = nullptr;
  STUDIES_CUDA_CHECK(cudaEventCreateWithFlags(&made, flags));
  return event(made);
}

template <class T>
device_array<T> make_device_array(std::size_t size) {
  void* memory = nullptr;
  STUDIES_CUDA_CHECK(cudaMalloc(&memory, size * sizeof(T)));
  return device_array<T>(static_cast<T*>(memory));
}

template <class T>
pinned_array<T> make_pinned_array(std::size_t size) {
  void* memory = nullptr;
  STUDIES_CUDA_CHECK(cudaMallocHost(&memory, size * sizeof(T)));
  return pinned_array<T>(static_cast<T*>(memory));
}

/// Copies @p size entries to or from device memory on the stream @p on.
template <class T>
void copy(T* to, const std::type_identity_t<T>* from, std::size_t size, cudaStream_t on) {
  STUDIES_CUDA_CHECK(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDefault, on));
}

/// Launches at least @p count threads, count > 0.
template <class... Parameters, class... Arguments>
void launch(const char* name, std::size_t count, unsigned threads_per_block, cudaStream_t on,
            void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block));
  config.blockDim = dim3(threads_per_block);
  config.stream = on;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

}  // namespace studies
