// SPDX-License-Identifier: BSL-1.0
#pragma once

// The free memory of a device, for tests that compare it, which must not run beside others; and
// streams of CUDA.
#include <cuda_runtime_api.h>

#include <apsp/device_matrix.hpp>
#include <apsp/error.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <thread>

namespace apsp_test {

inline void require_success(cudaError_t status) {
  BOOST_REQUIRE_MESSAGE(status == cudaSuccess, cudaGetErrorString(status));
}

struct memory_in_bytes {
  std::size_t free;
  std::size_t total;
};
inline memory_in_bytes memory_of_device() {
  memory_in_bytes now{};
  require_success(cudaDeviceSynchronize());
  require_success(cudaMemGetInfo(&now.free, &now.total));
  return now;
}

/// The library gives back what it keeps for later calls before an allocation fails.
inline void release_kept_memory() {
  const std::size_t too_much = memory_of_device().total / sizeof(float);
  BOOST_CHECK_THROW(apsp::device_matrix<float>(1, too_much), apsp::device_error);
}

class stream_of_caller {
 public:
  explicit stream_of_caller(unsigned flags = cudaStreamNonBlocking) {
    require_success(cudaStreamCreateWithFlags(&stream_, flags));
  }
  ~stream_of_caller() { cudaStreamDestroy(stream_); }
  stream_of_caller(const stream_of_caller&) = delete;
  stream_of_caller& operator=(const stream_of_caller&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Calls f(stream) for a stream of the caller, and for the default ones.
template <class F>
void on_every_stream(F f) {
  const stream_of_caller own;
  for (const cudaStream_t stream : {own.get(), cudaStream_t{cudaStreamPerThread},
                                    cudaStream_t{cudaStreamLegacy}, cudaStream_t{nullptr}}) {
    f(stream);
  }
}

/// Copies a matrix in the order of the stream.
template <class T>
void copy_on(cudaStream_t stream, const apsp::device_matrix<T>& from, apsp::device_matrix<T>& to) {
  require_success(cudaMemcpyAsync(to.data(), from.data(), from.rows() * from.cols() * sizeof(T),
                                  cudaMemcpyDeviceToDevice, stream));
}
/// Does so after a delay of the stream.
template <class T>
void copy_late_on(cudaStream_t stream, const apsp::device_matrix<T>& from,
                  apsp::device_matrix<T>& to) {
  const auto wait_a_moment = [](void*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  require_success(cudaLaunchHostFunc(stream, wait_a_moment, nullptr));
  copy_on(stream, from, to);
}

}  // namespace apsp_test
