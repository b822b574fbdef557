// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include "config.hpp"

namespace apsp {

namespace detail {

// The value above all others, and the one below: infinities, or `max()` and `lowest()`. They are constants
// of a class because GCC 13 rejects a variable template whose initialiser calls a function template that it
// has not instantiated yet.
template <class T, bool HasInfinity = std::numeric_limits<T>::has_infinity>
struct value_limits {
  static_assert(std::numeric_limits<T>::is_specialized,
                "apsp: specialise std::numeric_limits for the weight type: infinity(), or max(), "
                "is the distance of an unreachable vertex");
  static constexpr T largest = (std::numeric_limits<T>::max)();
  static constexpr T least = std::numeric_limits<T>::lowest();
};
template <class T>
struct value_limits<T, true> {
  static constexpr T largest = std::numeric_limits<T>::infinity();
  static constexpr T least = -std::numeric_limits<T>::infinity();
};

}  // namespace detail

/// The distance of a vertex that no path reaches: infinity for floating point, `max()` for
/// integers. As the weight of an edge it means that there is no edge.
template <class T>
inline constexpr T unreachable = detail::value_limits<T>::largest;

/// The predecessor of a vertex that has none: the source itself, or an unreachable vertex.
/// It is -1, converted to @p Index.
template <class Index>
inline constexpr Index no_predecessor = static_cast<Index>(-1);

}  // namespace apsp
