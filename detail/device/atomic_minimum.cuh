// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace apsp::inline v1::detail::cuda {

/// Stores the smaller of `*address` and @p value, neither of which is NaN, and returns the previous
/// value. Relaxed: it orders nothing but accesses to that word.
///
/// For floating-point numbers one atomic on the bits suffices, whatever is in memory. Non-negative
/// numbers have the order of their bits; as signed integers, negative numbers are less than these.
/// Negative numbers are in the reverse order of their bits, and as unsigned integers they are
/// greater than all others.
template <class C>
__device__ __forceinline__ C atomic_minimum(C* address, C value) {
  if constexpr (std::is_same_v<C, float>) {
    value += 0.0f;  // -0.0 would be the largest of the negative numbers' bits
    if (value >= 0.0f) {
      return __int_as_float(atomicMin(reinterpret_cast<int*>(address), __float_as_int(value)));
    }
    return __uint_as_float(atomicMax(reinterpret_cast<unsigned*>(address), __float_as_uint(value)));
  } else if constexpr (std::is_same_v<C, double>) {
    value += 0.0;
    if (value >= 0.0) {
      return __longlong_as_double(
          atomicMin(reinterpret_cast<long long*>(address), __double_as_longlong(value)));
    }
    return __longlong_as_double(static_cast<long long>(
        atomicMax(reinterpret_cast<unsigned long long*>(address),
                  static_cast<unsigned long long>(__double_as_longlong(value)))));
  } else if constexpr (sizeof(C) == sizeof(int)) {
    static_assert(std::is_same_v<C, std::int32_t>, "atomic_minimum lacks this weight type");
    return atomicMin(address, value);
  } else {
    static_assert(std::is_same_v<C, std::int64_t> && sizeof(C) == sizeof(long long),
                  "atomic_minimum lacks this weight type");
    return static_cast<C>(
        atomicMin(reinterpret_cast<long long*>(address), static_cast<long long>(value)));
  }
}

}  // namespace apsp::inline v1::detail::cuda
