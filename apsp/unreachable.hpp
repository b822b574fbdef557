// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include "config.hpp"

namespace apsp::inline v1 {

namespace detail {

// The largest and least values: infinities, or `max()` and `lowest()`. They are constants of a
// class because GCC 13 rejects a variable template whose initialiser calls a function template that
// is not yet instantiated.
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
  // Called through a pointer: under -ffast-math Clang 18 and later warn of a call by name.
  static constexpr auto infinity = &std::numeric_limits<T>::infinity;
  static constexpr T largest = infinity();
  static constexpr T least = -infinity();
};

}  // namespace detail

/// The distance of an unreachable vertex: infinity for floating point, `max()` for integers. An
/// edge of this weight is not an edge.
template <class T>
inline constexpr T unreachable = detail::value_limits<T>::largest;

/// The predecessor of a vertex without one: the source itself, or an unreachable vertex. It is -1,
/// converted to @p Index.
template <class Index>
inline constexpr Index no_predecessor = static_cast<Index>(-1);

}  // namespace apsp::inline v1
