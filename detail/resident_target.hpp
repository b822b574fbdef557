// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "../apsp/device_memory.hpp"
#include "../apsp/error.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/launch_target.hpp"

// Where a call on data in device memory runs, and in which order.
namespace apsp::detail {

/// The device on which all of @p data lie that are not null, or -1.
/// @param asked  the device of the policy, or -1.
/// @throws std::invalid_argument if they lie on several, or on another one than asked for.
inline int common_device(std::initializer_list<const void*> data, int asked) {
  int device = asked;
  for (const void* const d : data) {
    const int own = cuda::device_of(d);
    if (own < 0) continue;
    if (device >= 0 && own != device) {
      throw std::invalid_argument("apsp: what a call works on lies on device " +
                                  std::to_string(own) + ", not on device " +
                                  std::to_string(device));
    }
    device = own;
  }
  return device;
}

/// The device of a call on data in device memory, which is selected for as long as this lives, and the stream
/// that orders the call.
class resident_target {
 public:
  /// @param asked  of the policy
  /// @param data   what the call works on
  /// @throws std::invalid_argument as `common_device` does; device_error if no kernel can run there: for data
  /// on a device there is no host to fall back to.
  resident_target(const cuda::launch_target& asked, std::initializer_list<const void*> data)
      : target_(usable(asked, common_device(data, asked.device))), selected_(target_.device) {
    // Data of the caller's are ordered by a stream of the caller's.
    if (target_.stream == nullptr) target_.stream = cuda::default_stream();
  }

  const cuda::launch_target& get() const { return target_; }

 private:
  static cuda::launch_target usable(cuda::launch_target target, int device) {
    target.device = device;
    const std::string reason = cuda::why_unusable(device, target.stream);
    if (!reason.empty()) throw device_error(reason);
    return target;
  }

  cuda::launch_target target_;
  cuda::device_selection selected_;
};

}  // namespace apsp::detail
