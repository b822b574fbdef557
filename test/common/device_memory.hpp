// SPDX-License-Identifier: BSL-1.0
#pragma once

// The free memory of a device, for tests that compare it. They must not run beside others.
#include <cuda_runtime_api.h>

#include <apsp/device_matrix.hpp>
#include <apsp/error.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>

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

}  // namespace apsp_test
