// SPDX-License-Identifier: BSL-1.0
#include "memory.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../apsp/error.hpp"
#include "buffer.cuh"
#include "check.cuh"
#include "driver_function.cuh"
#include "memory_source.hpp"
#include "resource_cache.cuh"
#include "stream.cuh"
#include "transfer.cuh"

namespace apsp::inline v1::detail::cuda {

namespace {

thread_local call_memory current;

/// The rows of a contiguous matrix in host memory.
template <class Byte>
std::vector<Byte*> host_rows(Byte* first, const device_rows& shape) {
  std::vector<Byte*> rows(shape.rows);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = first + i * shape.width;
  return rows;
}

/// The caller's stream, or the default stream.
stream_handle ordered_by(CUstream_st* stream) {
  if (stream == nullptr) stream = default_stream();
  refuse_capture(stream);
  return stream_handle(stream);
}

}  // namespace

device_allocation allocate_on_device(std::size_t bytes, int device) {
  const memory_scope of_the_device(call_memory{});
  if (device < 0) APSP_CUDA_CHECK(cudaGetDevice(&device));
  const device_guard guard(device);
  void* data = nullptr;
  if (bytes != 0) {
    cudaError_t status = cudaMalloc(&data, bytes);
    if (status == cudaErrorMemoryAllocation) {
      forget(status);
      resource_cache::current().trim();
      status = cudaMalloc(&data, bytes);
    }
    if (status == cudaErrorMemoryAllocation) {
      forget(status);
      throw device_error(bytes, available_bytes());
    }
    check(status, "cudaMalloc");
  }
  return {data, device};
}

void free_on_device(const device_allocation& memory) noexcept {
  const device_guard guard(memory.device, std::nothrow);
  // The runtime may have shut down when a static object is destroyed.
  forget(cudaFree(memory.data));
}

void copy_to_host(const device_rows& from, void* to, CUstream_st* stream) {
  if (from.data == nullptr) return;
  const device_guard guard(device_of(from.data));
  const stream_handle ordered = ordered_by(stream);
  transfer_lanes lanes;
  download_rows(lanes, ordered.get(),
                {static_cast<const unsigned char*>(from.data), from.pitch, from.rows, from.width},
                host_rows(static_cast<unsigned char*>(to), from).data());
}

void copy_to_device(const void* from, const device_rows& to, CUstream_st* stream) {
  if (to.data == nullptr) return;
  const device_guard guard(device_of(to.data));
  const stream_handle ordered = ordered_by(stream);
  transfer_lanes lanes;
  upload_rows(lanes, ordered.get(),
              {static_cast<unsigned char*>(to.data), to.pitch, to.rows, to.width},
              host_rows(static_cast<const unsigned char*>(from), to).data());
  APSP_CUDA_CHECK(cudaStreamSynchronize(ordered.get()));
}

int device_of(const void* data) {
  if (data == nullptr) return -1;
  cudaPointerAttributes attributes{};
  APSP_CUDA_CHECK(cudaPointerGetAttributes(&attributes, data));
  if (attributes.type == cudaMemoryTypeUnregistered) {
    throw std::invalid_argument("apsp: expected device memory, got host memory");
  }
  return attributes.device;
}

device_range allocation_of(const void* data) {
  static const auto find_range =
      driver_function<PFN_cuMemGetAddressRange_v3020>("cuMemGetAddressRange", 3020);
  const auto first = reinterpret_cast<std::uintptr_t>(data);
  const int device = device_of(data);
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  if (data == nullptr || find_range(&begin, &size, first) != CUDA_SUCCESS) {
    return {device, first, first + 1};
  }
  return {device, begin, begin + size};
}

device_selection::device_selection(int device) {
  APSP_CUDA_CHECK(cudaGetDevice(&previous_));
  if (device < 0 || device == previous_) return;
  if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) {
    forget(cudaSetDevice(previous_));  // a selection that fails may still have changed the device
    check(status, "cudaSetDevice");
  }
  has_changed_ = true;
}

device_selection::~device_selection() {
  if (has_changed_) forget(cudaSetDevice(previous_));
}

const call_memory& current_memory() noexcept {
  return current;
}

memory_scope::memory_scope(const call_memory& memory) noexcept
    : previous_(std::exchange(current, memory)) {}

memory_scope::~memory_scope() {
  current = previous_;
}

CUstream_st* default_stream() {
  return cudaStreamLegacy;
}

}  // namespace apsp::inline v1::detail::cuda
