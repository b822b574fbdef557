// SPDX-License-Identifier: BSL-1.0
#include "prefix_sums.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>

#include "check.cuh"

namespace apsp::inline v1::detail::cuda {

void make_exclusive_sums(const device_workspace& space, std::uint32_t* values, std::size_t count) {
  const cudaStream_t stream = space.stream.get();
  std::size_t bytes = 0;
  APSP_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, count, stream));
  const device_buffer<unsigned char> scratch = space.allocate<unsigned char>(bytes);
  APSP_CUDA_CHECK(
      cub::DeviceScan::ExclusiveSum(scratch.get(), bytes, values, values, count, stream));
}

}  // namespace apsp::inline v1::detail::cuda
