// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace apsp::detail::cuda {

/// c = min(c, a + b), as the hardware does it fastest for each type.
template <class T>
struct min_plus {
  using value_type = T;
  /// Whether a minimum costs less than a comparison and a selection.
  static constexpr bool has_fast_minimum = false;

  static __device__ __forceinline__ T relax(T c, T a, T b) {
    // For double, too: `fmin` would take care of NaN at twice the price. A sum that is NaN compares
    // false, and c stays.
    const T sum = a + b;
    return sum < c ? sum : c;
  }
  /// Two relaxations of the same entry.
  static __device__ __forceinline__ T relax(T c, T a0, T b0, T a1, T b1) {
    return relax(relax(c, a0, b0), a1, b1);
  }
};

template <>
struct min_plus<float> {
  using value_type = float;
  static constexpr bool has_fast_minimum = true;

  // Returns c where the sum is NaN, and costs one instruction where a comparison costs two.
  static __device__ __forceinline__ float relax(float c, float a, float b) {
    return fminf(c, a + b);
  }
  static __device__ __forceinline__ float relax(float c, float a0, float b0, float a1, float b1) {
    return relax(relax(c, a0, b0), a1, b1);
  }
};

template <>
struct min_plus<std::int32_t> {
  using value_type = std::int32_t;
  static constexpr bool has_fast_minimum = true;

  static __device__ __forceinline__ std::int32_t relax(std::int32_t c, std::int32_t a,
                                                       std::int32_t b) {
    return __viaddmin_s32(a, b, c);
  }
  static __device__ __forceinline__ std::int32_t relax(std::int32_t c, std::int32_t a0,
                                                       std::int32_t b0, std::int32_t a1,
                                                       std::int32_t b1) {
    return relax(relax(c, a0, b0), a1, b1);
  }
};

/// For matrices without a negative entry. Floats that are not negative are ordered as their bits
/// are, and integers have a minimum of three.
struct min_plus_nonnegative_float : min_plus<float> {
  using min_plus<float>::relax;

  static __device__ __forceinline__ float relax(float c, float a0, float b0, float a1, float b1) {
    return __int_as_float(
        __vimin3_s32(__float_as_int(c), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
  }
};

/// Raises @p value to @p floor where a sum of two values could wrap.
template <class T>
__device__ __forceinline__ T clamped(T value, [[maybe_unused]] T floor) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return value < floor ? floor : value;
  }
}

}  // namespace apsp::detail::cuda
