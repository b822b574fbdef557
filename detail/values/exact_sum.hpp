// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace apsp::inline v1::detail {

/// A sum of floating-point numbers without rounding: it is kept as numbers that do not overlap.
/// Complexity: O(k) for each addition to a sum of k such numbers, which are few.
/// Source: Shewchuk 1997, grow-expansion.
template <class F>
class exact_sum {
 public:
  void clear() { parts_.clear(); }

  void add(F x) {
    std::size_t kept = 0;
    for (const F part : parts_) {
      // Knuth's sum: high + low is exactly x + part, whichever of them is larger.
      const F high = x + part;
      const F rounded_part = high - x;
      const F low = (x - (high - rounded_part)) + (part - rounded_part);
      if (low != F{}) parts_[kept++] = low;
      x = high;
    }
    parts_.resize(kept);
    if (x != F{}) parts_.push_back(x);
  }

  /// The sum, rounded: its sign is right, and its relative error is of few roundings.
  F rounded() const {
    F sum{};
    for (const F part : parts_) sum += part;
    return sum;
  }

 private:
  std::vector<F> parts_;  ///< In increasing order of magnitude.
};

/// Whether floating-point weights have sums that are not rounded: they are multiples of a power of
/// two that is not small beside them.
template <class T>
class weight_digits {
 public:
  void add(const T& weight) {
    if (weight == T{}) return;
    int exponent = 0;
    const T mantissa = std::frexp(weight, &exponent);
    // The number of digits behind the binary point of the mantissa.
    int digits = 0;
    for (T rest = mantissa; rest != std::trunc(rest); rest *= 2) ++digits;
    lowest_ = std::min(lowest_, exponent - digits);
    highest_ = std::max(highest_, exponent);
  }

  /// True if sums of fewer than @p count weights are exact.
  bool have_exact_sums(std::size_t count) const {
    const int carried = static_cast<int>(std::bit_width(count));
    return highest_ - lowest_ + carried <= std::numeric_limits<T>::digits;
  }

 private:
  static constexpr int none = std::numeric_limits<int>::min() / 4;

  int lowest_ = -none;
  int highest_ = none;
};

}  // namespace apsp::inline v1::detail
