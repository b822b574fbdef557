// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "../../apsp/error.hpp"
#include "check.cuh"
#include "memory_source.hpp"
#include "resource_cache.cuh"

namespace apsp::inline v1::detail::cuda {

/// Bytes that allocations on the current device can rely on. Memory that the pool caches for later
/// calls counts as free. A memory resource with a limit has no other one.
inline std::size_t available_bytes() {
  const call_memory& memory = current_memory();
  if (memory.source && memory.limit != 0) return std::numeric_limits<std::size_t>::max();
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  APSP_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (memory.source) return free_bytes;
  const cudaMemPool_t pool = resource_cache::current().memory_pool();
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  APSP_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  APSP_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return free_bytes + static_cast<std::size_t>(reserved > used ? reserved - used : 0);
}

/// Bytes that a call on the current device may allocate, determined before its first allocation.
/// @param wanted        if less is free, waits for earlier calls when that can free more.
/// @param memory_limit  of the policy, or 0.
/// @param stream        of the call. Waits for it, too: the program may have freed memory on it.
inline std::size_t bytes_for_call(std::size_t wanted, std::size_t memory_limit,
                                  cudaStream_t stream) {
  const std::size_t most =
      memory_limit == 0 ? std::numeric_limits<std::size_t>::max() : memory_limit;
  std::size_t bytes = available_bytes();
  if (bytes < wanted && wanted <= most) {
    resource_cache::current().wait_for_calls();
    APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
    bytes = available_bytes();
  }
  return std::min(bytes, most);
}

/// @p a * @p b, or the largest representable value if the product does not fit.
constexpr std::size_t saturated_product(std::size_t a, std::size_t b) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}
constexpr std::size_t saturated_sum(std::size_t a, std::size_t b) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return a > most - b ? most : a + b;
}

/// Device memory that is allocated and freed in the order of a stream.
class device_bytes {
 public:
  device_bytes() = default;
  /// @param bytes_needed  of the whole call, for the error message if there is too little memory.
  device_bytes(std::size_t bytes, cudaStream_t stream, std::size_t bytes_needed)
      : bytes_(bytes), stream_(stream), source_(current_memory().source) {
    if (bytes == 0) return;
    if (source_) {
      try {
        data_ = source_.allocate(stream, bytes);
      } catch (const std::bad_alloc&) {
        throw device_error(bytes_needed, std::min(available_bytes(), bytes_needed));
      }
      return;
    }
    const cudaError_t status =
        cudaMallocFromPoolAsync(&data_, bytes, resource_cache::current().memory_pool(), stream);
    if (status == cudaErrorMemoryAllocation) {
      forget(status);
      throw device_error(bytes_needed, available_bytes());
    }
    check(status, "cudaMallocFromPoolAsync");
  }
  ~device_bytes() {
    if (data_ == nullptr) return;
    if (source_) {
      source_.deallocate(stream_, data_, bytes_);
    } else {
      forget(cudaFreeAsync(data_, stream_));
    }
  }
  device_bytes(device_bytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(other.bytes_),
        stream_(other.stream_),
        source_(other.source_) {}
  device_bytes& operator=(device_bytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(stream_, other.stream_);
    std::swap(source_, other.source_);
    return *this;
  }

  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  cudaStream_t stream_ = nullptr;
  memory_source source_;
};

/// The same as an array.
template <class T>
class device_buffer {
 public:
  device_buffer() = default;
  /// @param bytes_needed  of the whole call, for the error message if there is too little memory.
  device_buffer(std::size_t size, cudaStream_t stream, std::size_t bytes_needed)
      : memory_(saturated_product(size, sizeof(T)), stream, bytes_needed) {}

  T* get() const { return static_cast<T*>(memory_.get()); }

 private:
  device_bytes memory_;
};

/// A copy of @p values in device memory, in the order of @p stream.
template <class X>
device_buffer<X> uploaded(std::span<const X> values, cudaStream_t stream,
                          std::size_t bytes_needed) {
  device_buffer<X> buffer(values.size(), stream, bytes_needed);
  if (!values.empty()) {
    APSP_CUDA_CHECK(cudaMemcpyAsync(buffer.get(), values.data(), values.size_bytes(),
                                    cudaMemcpyHostToDevice, stream));
  }
  return buffer;
}

}  // namespace apsp::inline v1::detail::cuda
