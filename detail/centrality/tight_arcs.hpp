// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"

// Ties of lengths.
namespace apsp::inline v1::detail {

/// Which arcs are on shortest paths: those that are as long as the difference of the distances of
/// their ends.
template <class T>
struct tight_arcs {
  T tolerance;  ///< For floating point: relative to the larger distance.

  bool contains(const T& to_source, const T& weight, const T& to_target) const {
    if constexpr (std::is_integral_v<T>) {
      using wide = std::conditional_t<(sizeof(T) < sizeof(std::int64_t)), std::int64_t, int128>;
      return static_cast<wide>(to_source) + static_cast<wide>(weight) ==
                 static_cast<wide>(to_target) &&
             !equals_unreachable(to_target);
    } else {
      if (equals_unreachable(to_target)) return false;
      const T length = to_source + weight;
      if (length == to_target) return true;
      const T largest = std::max(std::abs(to_source), std::abs(to_target));
      const bool is_about = std::abs(length - to_target) <= tolerance * largest;
      return is_about && (to_source < to_target || !(T{} < weight));
    }
  }
};

}  // namespace apsp::inline v1::detail
