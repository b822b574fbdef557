// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "../../../apsp/semiring.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"

// Semiring operations in the fastest instructions of the hardware. Kernels take an algebra by
// value, because a user-defined semiring may have constants that are not static.
namespace apsp::inline v1::detail::cuda {

/// Common base class. @p Algebra provides `times`, `improves`, and `plus`, which returns the better
/// of two values.
template <class Algebra, class T>
struct algebra_base {
  using value_type = T;
  /// True if `plus` costs less than a comparison and a selection.
  static constexpr bool has_fast_plus = false;
  /// If `improves` is a comparison at half the cost of `plus`: the number of rows of a thread's
  /// entries that are tested for improvement together. 0: no tests.
  static constexpr int tested_rows = 0;

  __device__ __forceinline__ T relax(T c, T a, T b) const {
    const Algebra& self = static_cast<const Algebra&>(*this);
    return self.plus(self.times(a, b), c);
  }
  /// Two relaxations of the same entry.
  __device__ __forceinline__ T relax(T c, T a0, T b0, T a1, T b1) const {
    const Algebra& self = static_cast<const Algebra&>(*this);
    return self.relax(self.relax(c, a0, b0), a1, b1);
  }
  /// The same, but neighbouring entries may use different pipes. @p place is a compile-time
  /// constant that differs by one between neighbouring entries.
  __device__ __forceinline__ T relax_at(int /*place*/, T c, T a0, T b0, T a1, T b1) const {
    return static_cast<const Algebra&>(*this).relax(c, a0, b0, a1, b1);
  }
  /// Raises @p value to @p floor if a sum of two values could wrap.
  __device__ __forceinline__ T clamped(T value, T /*floor*/) const { return value; }
};

/// Any semiring.
template <class S>
struct algebra : algebra_base<algebra<S>, typename S::value_type> {
  using T = typename S::value_type;
  static_assert(!has_library_kernels<S>,
                "a semiring of the library has an algebra of its own, in this file");
  static_assert(
      std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
      "apsp: kernels need a semiring whose values are trivially copyable and of 4, 8 or 16 "
      "bytes");
  S semiring;

  __host__ __device__ explicit algebra(const S& s) : semiring(s) {}
  __device__ __forceinline__ T times(T a, T b) const { return semiring.times(a, b); }
  __device__ __forceinline__ T plus(T x, T best) const { return semiring.plus(best, x); }
  __device__ __forceinline__ bool improves(T x, T best) const {
    return !(semiring.plus(best, x) == best);
  }
};

/// The number of rows that are tested together, limited by the number of registers.
template <class T>
inline constexpr int rows_per_test = sizeof(T) != 8          ? 0
                                     : std::is_integral_v<T> ? 2
                                                             : 4;

template <class T>
struct algebra<min_plus<T>> : algebra_base<algebra<min_plus<T>>, T> {
  static constexpr int tested_rows = rows_per_test<T>;

  __host__ __device__ explicit algebra(const min_plus<T>&) {}
  static __device__ __forceinline__ T times(T a, T b) { return a + b; }
  // Also used for double: `fmin` would handle NaN at twice the cost. A NaN sum compares false, so
  // the old entry is kept.
  static __device__ __forceinline__ T plus(T x, T best) { return x < best ? x : best; }
  static __device__ __forceinline__ bool improves(T x, T best) { return x < best; }
  static __device__ __forceinline__ T clamped(T value, [[maybe_unused]] T floor) {
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, int128>) {
      return value < floor ? floor : value;
    } else {
      return value;
    }
  }
};

template <>
struct algebra<min_plus<float>> : algebra_base<algebra<min_plus<float>>, float> {
  static constexpr bool has_fast_plus = true;

  __host__ __device__ explicit algebra(const min_plus<float>&) {}
  static __device__ __forceinline__ float times(float a, float b) { return a + b; }
  // Returns the old entry if the sum is NaN, and costs one instruction instead of the two of a
  // comparison.
  static __device__ __forceinline__ float plus(float x, float best) { return fminf(best, x); }
  static __device__ __forceinline__ bool improves(float x, float best) { return x < best; }
};

/// Sums of 32-bit words in the pipe that multiplies. A fused sum and minimum keeps the other
/// integer pipe busy for as long as a minimum of three. If every other entry computes its sums
/// here, both pipes are busy.
class multiplier_sums {
 public:
  template <class T>
  __device__ __forceinline__ T sum(T a, T b) const {
    T result;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(one_), "r"(b));
    return result;
  }

 private:
  /// A kernel argument, because the compiler would turn a constant into a plain addition.
  std::int32_t one_ = 1;
};

template <>
struct algebra<min_plus<std::int32_t>>
    : algebra_base<algebra<min_plus<std::int32_t>>, std::int32_t> {
  using T = std::int32_t;
  using base = algebra_base<algebra<min_plus<T>>, T>;
  static constexpr bool has_fast_plus = true;

  __host__ __device__ explicit algebra(const min_plus<T>&) {}
  static __device__ __forceinline__ T times(T a, T b) { return a + b; }
  static __device__ __forceinline__ T plus(T x, T best) { return min(x, best); }
  static __device__ __forceinline__ bool improves(T x, T best) { return x < best; }
  static __device__ __forceinline__ T clamped(T value, T floor) { return max(value, floor); }

  static __device__ __forceinline__ T relax(T c, T a, T b) { return __viaddmin_s32(a, b, c); }
  using base::relax;

  __device__ __forceinline__ T relax_at(int place, T c, T a0, T b0, T a1, T b1) const {
    if (place % 2 == 0) return relax(c, a0, b0, a1, b1);
    return __vimin3_s32(c, multiplier.sum(a0, b0), multiplier.sum(a1, b1));
  }

  multiplier_sums multiplier;
};

/// `min_plus<float>` for matrices without a negative entry. Non-negative floats have the same order
/// as their bits, and integers have a minimum of three.
struct nonnegative_float_algebra : algebra<min_plus<float>> {
  using algebra<min_plus<float>>::algebra;
  using algebra<min_plus<float>>::relax;

  __device__ __forceinline__ float relax(float c, float a0, float b0, float a1, float b1) const {
    return __int_as_float(
        __vimin3_s32(__float_as_int(c), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
  }
  __device__ __forceinline__ float relax_at(int /*place*/, float c, float a0, float b0, float a1,
                                            float b1) const {
    return relax(c, a0, b0, a1, b1);
  }
};

/// Two 16-bit distances in one word; the lower half holds the even column.
using distance_pair = std::uint32_t;

/// Older devices need several instructions to relax a pair.
inline constexpr int first_capability_with_pairs = 9;

/// `min_plus` on both halves of a word.
struct paired_algebra : algebra_base<paired_algebra, distance_pair> {
  using T = distance_pair;
  using base = algebra_base<paired_algebra, T>;
  static constexpr bool has_fast_plus = true;

  static __device__ __forceinline__ T times(T a, T b) { return __vadd2(a, b); }
  static __device__ __forceinline__ T plus(T x, T best) { return __vminu2(x, best); }
  static __device__ __forceinline__ bool improves(T x, T best) { return plus(x, best) != best; }

  static __device__ __forceinline__ T relax(T c, T a, T b) { return __viaddmin_u16x2(a, b, c); }
  using base::relax;

  // Sums do not carry from one half to the other.
  __device__ __forceinline__ T relax_at(int place, T c, T a0, T b0, T a1, T b1) const {
    if (place % 2 == 0) return relax(c, a0, b0, a1, b1);
    return __vimin3_u16x2(c, multiplier.sum(a0, b0), multiplier.sum(a1, b1));
  }

  multiplier_sums multiplier;
};

/// The lesser and the greater of two values, in one instruction where the hardware has one.
template <class T>
__device__ __forceinline__ T lesser(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return fminf(a, b);
  } else {
    return b < a ? b : a;
  }
}
template <class T>
__device__ __forceinline__ T greater(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return fmaxf(a, b);
  } else {
    return a < b ? b : a;
  }
}

template <class T>
struct algebra<max_min<T>> : algebra_base<algebra<max_min<T>>, T> {
  using base = algebra_base<algebra<max_min<T>>, T>;
  static constexpr bool has_fast_plus = sizeof(T) == 4;
  static constexpr int tested_rows = rows_per_test<T>;

  __host__ __device__ explicit algebra(const max_min<T>&) {}
  static __device__ __forceinline__ T times(T a, T b) { return lesser(a, b); }
  static __device__ __forceinline__ T plus(T x, T best) { return greater(best, x); }
  static __device__ __forceinline__ bool improves(T x, T best) { return best < x; }

  using base::relax;
  __device__ __forceinline__ T relax(T c, T a0, T b0, T a1, T b1) const {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return __vimax3_s32(c, lesser(a0, b0), lesser(a1, b1));
    } else {
      return base::relax(c, a0, b0, a1, b1);
    }
  }
};

template <class T>
struct algebra<min_max<T>> : algebra_base<algebra<min_max<T>>, T> {
  using base = algebra_base<algebra<min_max<T>>, T>;
  static constexpr bool has_fast_plus = sizeof(T) == 4;
  static constexpr int tested_rows = rows_per_test<T>;

  __host__ __device__ explicit algebra(const min_max<T>&) {}
  static __device__ __forceinline__ T times(T a, T b) { return greater(a, b); }
  static __device__ __forceinline__ T plus(T x, T best) { return lesser(best, x); }
  static __device__ __forceinline__ bool improves(T x, T best) { return x < best; }

  using base::relax;
  __device__ __forceinline__ T relax(T c, T a0, T b0, T a1, T b1) const {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return __vimin3_s32(c, greater(a0, b0), greater(a1, b1));
    } else {
      return base::relax(c, a0, b0, a1, b1);
    }
  }
};

template <class T>
struct algebra<max_times<T>> : algebra_base<algebra<max_times<T>>, T> {
  static constexpr bool has_fast_plus = sizeof(T) == 4;
  static constexpr int tested_rows = rows_per_test<T>;

  __host__ __device__ explicit algebra(const max_times<T>&) {}
  static __device__ __forceinline__ T times(T a, T b) { return a * b; }
  static __device__ __forceinline__ T plus(T x, T best) { return greater(best, x); }
  static __device__ __forceinline__ bool improves(T x, T best) { return best < x; }
};

}  // namespace apsp::inline v1::detail::cuda
