// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../../apsp/semiring.hpp"

// Tests for NaN and infinity of `float` and `double` by their bits: under -ffast-math a compiler may assume that neither
// occurs, and optimize `x != x` away. Programs may be compiled with that option, and the checks of
// weights are compiled in them.
namespace apsp::detail {

/// True if @p x is NaN.
template <class T>
APSP_HOST_DEVICE constexpr bool is_nan([[maybe_unused]] const T& x) {
  if constexpr (!std::is_floating_point_v<T>) {
    return false;
  } else {
#ifdef __CUDA_ARCH__
    return x != x;
#else
    if constexpr (std::is_same_v<T, float>) {
      return (std::bit_cast<std::uint32_t>(x) & 0x7fff'ffffu) > 0x7f80'0000u;
    } else {
      const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
      return (bits & 0x7fff'ffff'ffff'ffffu) > 0x7ff0'0000'0000'0000u;
    }
#endif
  }
}

/// True if @p x is infinity or minus infinity.
template <class T>
constexpr bool is_infinite([[maybe_unused]] const T& x) {
  if constexpr (!std::is_floating_point_v<T>) {
    return false;
  } else if constexpr (std::is_same_v<T, float>) {
    return (std::bit_cast<std::uint32_t>(x) & 0x7fff'ffffu) == 0x7f80'0000u;
  } else if constexpr (std::is_same_v<T, double>) {
    return (std::bit_cast<std::uint64_t>(x) & 0x7fff'ffff'ffff'ffffu) == 0x7ff0'0000'0000'0000u;
  } else {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    return x == infinity || x == -infinity;
  }
}

}  // namespace apsp::detail
