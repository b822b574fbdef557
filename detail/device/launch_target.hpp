// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

#include "../../apsp/config.hpp"
#include "../../apsp/policy.hpp"
#include "memory_source.hpp"

namespace apsp::inline v1::detail::cuda {

/// The device settings of a call.
struct launch_target {
  backend kernels = backend::cuda_tiled;
  int device = -1;  ///< -1: the current device of the calling thread.
  CUstream_st* stream = nullptr;
  std::size_t memory_limit = 0;  ///< 0: the free memory.
  relaxation_strategy strategy{};
  /// The devices of a call that may use several, of which `device` is the first; or none.
  device_list devices{};
  bool in_core = false;  ///< A matrix that does not fit into device memory is refused.
  call_memory memory{};

  std::size_t num_devices() const { return devices.size() > 1 ? devices.size() : 1; }
  bool has_several_devices() const { return num_devices() > 1; }
  /// The same for device number @p number alone.
  launch_target on(int number) const {
    launch_target one = *this;
    one.device = number;
    one.devices = {};
    return one;
  }
};

inline constexpr const char* built_without_cuda = "this build of apsp has no CUDA kernels";

/// The reason why no kernel can run on device number @p device (-1: the device of @p stream if
/// there is one, else the current device); empty if kernels can run. Launches nothing.
/// @throws std::invalid_argument if @p stream is under capture.
APSP_EXPORT std::string why_unusable(int device, CUstream_st* stream);

/// The number of CUDA devices of the machine; 0 if that cannot be found out.
APSP_EXPORT int count_devices();

}  // namespace apsp::inline v1::detail::cuda
