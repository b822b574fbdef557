// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../../apsp/unreachable.hpp"
#include "../values/weight.hpp"

// The types of the lanes in which paths are searched and their lengths compared.
namespace apsp::inline v1::detail {

/// Of a graph whose weights are of type T.
template <class T>
struct lane_types {
  std::size_t num_vertices;
  weight_range<T> weights;
  bool are_whole;  ///< The weights.
  T tolerance;     ///< Of lengths that tie, relative to the length.

  lane_types(std::size_t n, const weight_range<T>& range, const std::vector<T>& all,
             const T& tie_tolerance)
      : num_vertices(n), weights(range), are_whole(true), tolerance(tie_tolerance) {
    if constexpr (std::is_floating_point_v<T>) {
      are_whole =
          std::all_of(all.begin(), all.end(), [](const T& w) { return std::trunc(w) == w; });
    }
  }

  /// True if distances probably fit in 16 bits; a search finds out whether they do.
  bool are_short() const {
    constexpr T heaviest = largest_in<T>(8191);
    return are_countable() && are_whole && weights.largest <= heaviest &&
           tells_apart(std::numeric_limits<std::uint16_t>::max());
  }
  /// True if all lengths are whole numbers that fit in 32 bits.
  bool fit_in_32_bits() const {
    constexpr double first_too_long = 0x1p30;
    return are_countable() && are_whole && longest() < first_too_long && tells_apart(longest());
  }
  /// True if lengths have the precision of `double`, or are exact, and each arc makes a path
  /// longer.
  bool fit_in_double() const {
    if constexpr (std::is_integral_v<T>) {
      constexpr double first_rounded = 0x1p52;
      return are_countable() && longest() < first_rounded;
    } else {
      return std::is_same_v<T, double> && are_countable() &&
             longest() * std::numeric_limits<double>::epsilon() <
                 static_cast<double>(weights.smallest);
    }
  }

 private:
  template <class X>
  static constexpr X largest_in(int value) {
    constexpr auto largest = std::numeric_limits<X>::max();
    return static_cast<double>(largest) < value ? largest : static_cast<X>(value);
  }
  double longest() const {
    return static_cast<double>(num_vertices) * static_cast<double>(weights.largest);
  }
  /// True if all paths are of a length above 0 that T holds.
  bool are_countable() const {
    return T{} < weights.smallest && longest() < static_cast<double>(value_limits<T>::largest);
  }
  /// True if whole lengths of up to @p length tie only if they are equal.
  bool tells_apart(double length) const {
    return std::is_integral_v<T> || static_cast<double>(tolerance) * length < 0.5;
  }
};

}  // namespace apsp::inline v1::detail
