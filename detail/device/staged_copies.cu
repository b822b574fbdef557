// SPDX-License-Identifier: BSL-1.0
#include "staged_copies.hpp"

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "check.cuh"
#include "stream.cuh"
#include "transfer.cuh"

namespace apsp::inline v1::detail::cuda {

struct staged_copies::state {
  explicit state(std::size_t bytes) : buffers{pinned_buffer(bytes), pinned_buffer(bytes)} {}

  std::array<pinned_buffer, num_buffers> buffers;
  std::array<event_handle, num_buffers> done;
};

staged_copies::staged_copies(std::size_t bytes) : state_(std::make_unique<state>(bytes)) {}

staged_copies::~staged_copies() {
  for (const event_handle& done : state_->done) forget(cudaEventSynchronize(done.get()));
}

void* staged_copies::buffer(std::size_t i) const {
  return state_->buffers[i].get();
}

void staged_copies::to_buffer(std::size_t i, const void* from, std::size_t bytes,
                              cudaStream_t stream) {
  APSP_CUDA_CHECK(cudaMemcpyAsync(buffer(i), from, bytes, cudaMemcpyDeviceToHost, stream));
  APSP_CUDA_CHECK(cudaEventRecord(state_->done[i].get(), stream));
}

void staged_copies::from_buffer(std::size_t i, void* to, std::size_t bytes, cudaStream_t stream) {
  APSP_CUDA_CHECK(cudaMemcpyAsync(to, buffer(i), bytes, cudaMemcpyHostToDevice, stream));
  APSP_CUDA_CHECK(cudaEventRecord(state_->done[i].get(), stream));
}

void staged_copies::wait(std::size_t i) {
  APSP_CUDA_CHECK(cudaEventSynchronize(state_->done[i].get()));
}

std::string bus_address(int device) {
  if (device < 0) APSP_CUDA_CHECK(cudaGetDevice(&device));
  std::array<char, 32> address{};
  APSP_CUDA_CHECK(cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device));
  return address.data();
}

}  // namespace apsp::inline v1::detail::cuda
