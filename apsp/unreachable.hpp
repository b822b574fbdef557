// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include "config.hpp"

namespace apsp {

namespace detail {

template <class T>
constexpr T unreachable_distance() {
  static_assert(std::numeric_limits<T>::is_specialized,
                "apsp: specialise std::numeric_limits for the weight type: infinity(), or max(), "
                "is the distance of an unreachable vertex");
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return std::numeric_limits<T>::infinity();
  } else {
    return (std::numeric_limits<T>::max)();
  }
}

}  // namespace detail

/// The distance of a vertex that no path reaches: infinity for floating point, `max()` for
/// integers. As the weight of an edge it means that there is no edge.
template <class T>
inline constexpr T unreachable = detail::unreachable_distance<T>();

/// The predecessor of a vertex that has none: the source itself, or an unreachable vertex.
/// It is -1, converted to @p Index.
template <class Index>
inline constexpr Index no_predecessor = static_cast<Index>(-1);

}  // namespace apsp
