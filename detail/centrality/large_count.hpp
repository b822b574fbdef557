// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>

namespace apsp::inline v1::detail {

/// A number of paths that may be larger than the largest `double`: value * 2^exponent.
class large_count {
 public:
  large_count() = default;
  explicit large_count(double value) : value_(value) { normalize(); }

  large_count& operator+=(const large_count& other) {
    if (other.value_ == 0) return *this;
    if (value_ == 0) return *this = other;
    if (exponent_ < other.exponent_) {
      value_ = std::ldexp(value_, clamped(exponent_ - other.exponent_)) + other.value_;
      exponent_ = other.exponent_;
    } else {
      value_ += std::ldexp(other.value_, clamped(other.exponent_ - exponent_));
    }
    normalize();
    return *this;
  }
  friend bool operator==(const large_count& a, const large_count& b) {
    return a.value_ == b.value_ && a.exponent_ == b.exponent_;
  }
  friend large_count operator*(const large_count& a, const large_count& b) {
    large_count product;
    product.value_ = a.value_ * b.value_;
    product.exponent_ = a.exponent_ + b.exponent_;
    product.normalize();
    return product;
  }
  friend large_count operator/(const large_count& a, const large_count& b) {
    large_count ratio;
    ratio.value_ = a.value_ / b.value_;
    ratio.exponent_ = a.exponent_ - b.exponent_;
    ratio.normalize();
    return ratio;
  }
  explicit operator double() const { return std::ldexp(value_, clamped(exponent_)); }

 private:
  /// For `ldexp`: more make any value 0 or infinite as well.
  static int clamped(std::int64_t exponent) {
    constexpr std::int64_t most = 4096;
    return static_cast<int>(exponent < -most ? -most : exponent > most ? most : exponent);
  }
  void normalize() {
    int shift = 0;
    value_ = std::frexp(value_, &shift);
    exponent_ += shift;
  }

  double value_ = 0;
  std::int64_t exponent_ = 0;
};

}  // namespace apsp::inline v1::detail
