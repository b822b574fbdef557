// SPDX-License-Identifier: BSL-1.0
#include "device_entries.hpp"

#include <cuda_runtime.h>

#include <cstddef>

#include "../../apsp/unreachable.hpp"
#include "../device/check.cuh"
#include "../device/reduction.cuh"
#include "../device/resolved_device.cuh"
#include "../device/stream.cuh"
#include "../values/distance_code.hpp"
#include "../values/weight.hpp"

namespace apsp::inline v1::detail::cuda {

namespace {

template <class T>
struct combine_entries {
  __device__ entry_range<T> operator()(const entry_range<T>& a, const entry_range<T>& b) const {
    entry_range<T> both = b.fault_at < a.fault_at ? b : a;
    both.lowest = b.lowest < a.lowest ? b.lowest : a.lowest;
    both.highest = a.highest < b.highest ? b.highest : a.highest;
    both.has_unreachable = a.has_unreachable || b.has_unreachable;
    return both;
  }
};

template <class T>
struct entry_at {
  const T* entries;
  std::size_t columns;
  std::size_t pitch;
  value_range<T> admitted;
  T no_path;

  __device__ entry_range<T> operator()(std::size_t k) const {
    const T entry = entries[k / columns * pitch + k % columns];
    entry_range<T> found{edge_fault::none, nowhere, T{}, T{}, false};
    if (entry != entry) {
      found.fault = edge_fault::not_a_number;
    } else if (entry < admitted.least || admitted.most < entry) {
      found.fault = edge_fault::not_admitted;
    } else if (entry == no_path) {
      found.has_unreachable = true;
    } else if (entry < T{}) {
      found.lowest = entry;
    } else {
      found.highest = entry;
    }
    if (found.fault != edge_fault::none) found.fault_at = k;
    return found;
  }
};

}  // namespace

template <class T>
entry_range<T> find_entry_range(const launch_target& target,
                                const device_matrix_view<const T>& entries,
                                const value_range<T>& admitted) {
  const std::size_t count = entries.rows() * entries.cols();
  if (count == 0) return {};
  const device_guard guard(resolved_device(target));
  const stream_handle stream(target.stream);
  constexpr T no_path = unreachable<T>;
  return reduce_over(
      count, combine_entries<T>{},
      entry_at<T>{entries.data(), entries.cols(), entries.pitch(), admitted, no_path},
      entry_range<T>{}, stream.get());
}

#define APSP_INSTANTIATE(T)                    \
  template entry_range<T> find_entry_range<T>( \
      const launch_target&, const device_matrix_view<const T>&, const value_range<T>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::cuda
