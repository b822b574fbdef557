// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "../../apsp/error.hpp"
#include "check.cuh"
#include "launch_target.hpp"

namespace apsp::inline v1::detail::cuda {

/// The device of a call: the requested one, that of the caller's stream, or the current one.
/// @throws std::invalid_argument if the caller's stream is under capture.
inline int resolved_device(const launch_target& target) {
  int device = target.device;
  if (target.stream != nullptr) {
    refuse_capture(target.stream);
    APSP_CUDA_CHECK(cudaStreamGetDevice(target.stream, &device));
    if (target.device >= 0 && target.device != device) {
      throw device_error("the policy's stream belongs to device " + std::to_string(device) +
                         ", not to device " + std::to_string(target.device));
    }
  } else if (device < 0) {
    APSP_CUDA_CHECK(cudaGetDevice(&device));
  }
  return device;
}

}  // namespace apsp::inline v1::detail::cuda
