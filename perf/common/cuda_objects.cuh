// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <apsp/error.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

// Owners of CUDA's streams, events and memory, and checked calls.
namespace cuda_objects {

/// @throws apsp::device_error with @p expression and CUDA's message, unless @p status is success.
inline void check(cudaError_t status, const char* expression) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // the next check must not report the error again
  throw apsp::device_error(std::string(expression) + ": " + cudaGetErrorString(status));
}

#define CUDA_OBJECTS_CHECK(call) ::cuda_objects::check((call), #call)

struct deleter {
  void operator()(CUstream_st* stream) const noexcept { cudaStreamDestroy(stream); }
  void operator()(CUevent_st* event) const noexcept { cudaEventDestroy(event); }
};
struct device_deleter {
  void operator()(void* memory) const noexcept { cudaFree(memory); }
};
struct pinned_deleter {
  void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

using stream = std::unique_ptr<CUstream_st, deleter>;
using event = std::unique_ptr<CUevent_st, deleter>;
template <class T>
using device_array = std::unique_ptr<T[], device_deleter>;
template <class T>
using pinned_array = std::unique_ptr<T[], pinned_deleter>;

inline stream make_stream() {
  cudaStream_t made = nullptr;
  CUDA_OBJECTS_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return stream(made);
}

/// @param flags  `cudaEventDisableTiming` for an event that only orders streams.
inline event make_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t made = nullptr;
  CUDA_OBJECTS_CHECK(cudaEventCreateWithFlags(&made, flags));
  return event(made);
}

/// Returns the seconds from one event to another; both must be complete.
inline double seconds_between(const event& from, const event& to) {
  float milliseconds = 0;
  CUDA_OBJECTS_CHECK(cudaEventElapsedTime(&milliseconds, from.get(), to.get()));
  return 1e-3 * static_cast<double>(milliseconds);
}

template <class T>
device_array<T> make_device_array(std::size_t size) {
  void* memory = nullptr;
  CUDA_OBJECTS_CHECK(cudaMalloc(&memory, size * sizeof(T)));
  return device_array<T>(static_cast<T*>(memory));
}

template <class T>
pinned_array<T> make_pinned_array(std::size_t size) {
  void* memory = nullptr;
  CUDA_OBJECTS_CHECK(cudaMallocHost(&memory, size * sizeof(T)));
  return pinned_array<T>(static_cast<T*>(memory));
}

/// Copies @p size entries to or from device memory on the stream @p on.
template <class T>
void copy(T* to, const std::type_identity_t<T>* from, std::size_t size, const stream& on) {
  CUDA_OBJECTS_CHECK(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDefault, on.get()));
}

inline void wait(const stream& on) {
  CUDA_OBJECTS_CHECK(cudaStreamSynchronize(on.get()));
}

}  // namespace cuda_objects
