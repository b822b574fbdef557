// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "../../apsp/error.hpp"
#include "check.cuh"

namespace apsp::inline v1::detail::cuda {

/// A driver function, looked up without linking to the driver.
/// @param version  the CUDA version of the function's signature, such as 12000.
template <class Function>
Function driver_function(const char* name, unsigned int version) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  APSP_CUDA_CHECK(
      cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    throw device_error(std::string("apsp: the CUDA driver has no ") + name);
  }
  return reinterpret_cast<Function>(function);
}

}  // namespace apsp::inline v1::detail::cuda
