// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

#include "../../apsp/config.hpp"
#include "../../apsp/policy.hpp"
#include "../call/backend.hpp"
#include "../device/launch_target.hpp"
#include "../values/kernel_semirings.hpp"
#include "../values/weight_types.hpp"
#include "path_values.hpp"

// Large fronts are closed on the device of a call, the others on the host.
namespace apsp::detail {

namespace cuda {

/// Floyd–Warshall on a matrix in host memory, row-major, through all of its vertices.
/// @return false if there is too little device memory for it; the entries are then unchanged.
/// @throws device_error if a CUDA call fails for another reason.
template <class S>
APSP_EXPORT bool close_front(const launch_target& target, const path_values<S>& values,
                             std::size_t size, typename S::value_type* entries);

}  // namespace cuda

/// Closes a front of @p size rows on a device, as `cuda::close_front`; empty for calls on the host.
template <class T>
using front_closer = std::function<bool(std::size_t size, T* entries)>;

/// The host closes fronts of fewer rows, and those with few pivots (perf/results/h200_fronts.csv).
/// The device relaxes through all vertices of a front, the host through its pivots.
constexpr bool is_for_device(std::size_t num_pivots, std::size_t size) {
  return size >= 768 && 4 * num_pivots >= size;
}

template <class S, class Backend>
front_closer<typename S::value_type> front_closer_of(
    [[maybe_unused]] const Backend& backend, [[maybe_unused]] const path_values<S>& values) {
  if constexpr (std::is_same_v<Backend, cuda_backend> && is_built_with_cuda &&
                has_library_kernels<S> && has_compiled_kernels<typename S::value_type>) {
    if (backend.name() == backend::cuda_tiled) {
      return
          [target = backend.target(), values](std::size_t size, typename S::value_type* entries) {
            return cuda::close_front(target, values, size, entries);
          };
    }
  }
  return {};
}

}  // namespace apsp::detail
