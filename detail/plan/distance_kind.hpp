// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "../values/kernel_semirings.hpp"

namespace apsp::inline v1::detail {

/// Distance types with different speeds.
enum class distance_kind { int32, float32, int64, float64, other };

template <class T>
constexpr distance_kind kind_of() {
  if constexpr (std::is_integral_v<T>) {
    return sizeof(T) <= 4 ? distance_kind::int32 : distance_kind::int64;
  } else if constexpr (std::is_same_v<T, float>) {
    return distance_kind::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return distance_kind::float64;
  } else {
    return distance_kind::other;
  }
}

/// The speed of plain loops is that of other types.
template <class S>
constexpr distance_kind kind_over() {
  return is_min_plus<S> || has_library_kernels<S> ? kind_of<typename S::value_type>()
                                                  : distance_kind::other;
}

}  // namespace apsp::inline v1::detail
