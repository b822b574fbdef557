// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cub/device/device_reduce.cuh>
#include <limits>

#include <thrust/iterator/counting_iterator.h>

#include "buffer.cuh"
#include "check.cuh"

// Reductions over data in device memory.
namespace apsp::inline v1::detail::cuda {

/// The position of no element, greater than all valid ones.
inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The reduction of f(k) over k in [0, count), in the order of the stream; waits for the result.
template <class X, class Combine, class F>
X reduce_over(std::size_t count, Combine combine, F f, X neutral, cudaStream_t stream) {
  const thrust::counting_iterator<std::size_t> places(0);
  const device_buffer<X> found(1, stream, sizeof(X));
  std::size_t bytes = 0;
  APSP_CUDA_CHECK(cub::DeviceReduce::TransformReduce(nullptr, bytes, places, found.get(), count,
                                                     combine, f, neutral, stream));
  const device_buffer<unsigned char> workspace(std::max<std::size_t>(bytes, 1), stream, bytes);
  APSP_CUDA_CHECK(cub::DeviceReduce::TransformReduce(workspace.get(), bytes, places, found.get(),
                                                     count, combine, f, neutral, stream));
  X result = neutral;
  APSP_CUDA_CHECK(cudaMemcpyAsync(&result, found.get(), sizeof(X), cudaMemcpyDeviceToHost, stream));
  APSP_CUDA_CHECK(cudaStreamSynchronize(stream));
  return result;
}

struct first_place {
  __device__ std::size_t operator()(std::size_t a, std::size_t b) const { return b < a ? b : a; }
};

}  // namespace apsp::inline v1::detail::cuda
