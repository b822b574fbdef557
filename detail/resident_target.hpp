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

/// The matrix in device memory that @p m is.
template <class M>
auto device_view_of(M& m) {
  return device_matrix_view(m.data(), m.rows(), m.cols(), m.pitch());
}

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

/// @throws device_error if no kernel can run there: for data on a device there is no host to fall back to.
inline void require_usable(const cuda::launch_target& target) {
  const std::string reason = cuda::why_unusable(target.device, target.stream);
  if (!reason.empty()) throw device_error(reason);
}

/// Data of the caller's are ordered by a stream of the caller's.
inline void order_by_caller(cuda::launch_target& target) {
  if (target.stream == nullptr) target.stream = cuda::default_stream();
}

}  // namespace apsp::detail
