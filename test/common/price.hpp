// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

namespace apsp_test {

/// A user-defined weight, whose sums round.
struct price {
  double amount = 0;
  friend constexpr bool operator<(const price& a, const price& b) { return a.amount < b.amount; }
  friend constexpr bool operator==(const price& a, const price& b) { return a.amount == b.amount; }
  friend constexpr price operator+(const price& a, const price& b) { return {a.amount + b.amount}; }
  friend constexpr price operator-(const price& a, const price& b) { return {a.amount - b.amount}; }
};

}  // namespace apsp_test

template <>
struct std::numeric_limits<apsp_test::price> : std::numeric_limits<double> {
  static constexpr apsp_test::price infinity() { return {std::numeric_limits<double>::infinity()}; }
  static constexpr apsp_test::price max() { return {std::numeric_limits<double>::max()}; }
  static constexpr apsp_test::price lowest() { return {std::numeric_limits<double>::lowest()}; }
};
