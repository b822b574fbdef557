// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"

// Tests for NaN and infinity by bits: under -ffast-math a compiler may assume that neither occurs,
// and optimize `x != x` away. Programs may be compiled with that option, and the checks of weights
// are compiled in them.
namespace apsp::inline v1::detail {

/// What the exponent and the fraction of a floating-point number say.
enum class float_kind { finite, infinite, not_a_number };

/// True for the 80-bit format of x87, whose exponent and fraction stand in the first ten bytes.
template <class T>
inline constexpr bool is_x87_extended =
    std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 64 &&
    std::numeric_limits<T>::max_exponent == 16384 && std::endian::native == std::endian::little;

/// The kind of @p x. Types other than `float`, `double` and x87's `long double` are compared with
/// their constants.
template <class T>
constexpr float_kind kind_of_float(const T& x) {
  // Without the sign, the bits are ordered as the numbers are, and NaN is above infinity.
  const auto kind = [](auto bits, auto infinity) {
    return bits > infinity    ? float_kind::not_a_number
           : bits == infinity ? float_kind::infinite
                              : float_kind::finite;
  };
  if constexpr (std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 53) {
    return kind_of_float(static_cast<double>(x));
  } else if constexpr (std::is_same_v<T, float>) {
    return kind(std::bit_cast<std::uint32_t>(x) & 0x7fff'ffffu, 0x7f80'0000u);
  } else if constexpr (std::is_same_v<T, double>) {
    return kind(std::bit_cast<std::uint64_t>(x) & 0x7fff'ffff'ffff'ffffu,
                std::uint64_t{0x7ff0'0000'0000'0000u});
  } else if constexpr (is_x87_extended<T>) {
    const auto bytes = std::bit_cast<std::array<unsigned char, sizeof(T)>>(x);
    if (bytes[8] != 0xffu || (bytes[9] & 0x7fu) != 0x7fu) return float_kind::finite;
    unsigned fraction = bytes[7] & 0x7fu;  // The highest bit is the integer part.
    for (std::size_t i = 0; i < 7; ++i) fraction |= bytes[i];
    return kind(fraction, 0u);
  } else {
    constexpr T infinity = value_limits<T>::largest;
    if (x != x) return float_kind::not_a_number;
    return x == infinity || x == -infinity ? float_kind::infinite : float_kind::finite;
  }
}

/// True if @p x is NaN.
template <class T>
APSP_HOST_DEVICE constexpr bool is_nan([[maybe_unused]] const T& x) {
  if constexpr (!std::is_floating_point_v<T>) {
    return false;
  } else {
#ifdef __CUDA_ARCH__
    return x != x;
#else
    return kind_of_float(x) == float_kind::not_a_number;
#endif
  }
}

/// True if @p x is infinity or minus infinity.
template <class T>
constexpr bool is_infinite([[maybe_unused]] const T& x) {
  if constexpr (!std::is_floating_point_v<T>) {
    return false;
  } else {
    return kind_of_float(x) == float_kind::infinite;
  }
}

/// `x == unreachable<T>`, by bits under -ffast-math: Clang takes that comparison for false there.
template <class T>
constexpr bool equals_unreachable(const T& x) {
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
  constexpr bool by_bits = std::is_floating_point_v<T>;
#else
  constexpr bool by_bits = false;
#endif
  if constexpr (by_bits) {
    return is_infinite(x) && T{} < x;
  } else {
    return x == unreachable<T>;
  }
}

}  // namespace apsp::inline v1::detail
