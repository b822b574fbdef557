// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../../../apsp/semiring.hpp"
#include "../solver/cuda/solver.hpp"

// Maps the values of a semiring so that the least one is the best: the kernels only compare with <.
namespace apsp::inline v1::detail {

/// For a semiring with kernels: `weight` and `distance` map its values to the device order, `value`
/// maps a distance back, and `join` is how the kernels join paths.
template <class S>
struct device_order {
  static constexpr bool has_kernels = false;
};

template <class T>
struct device_order<min_max<T>> {
  static constexpr auto join = cuda::path_join::maximum;
  static constexpr bool has_kernels = cuda::has_joined_kernels<T, join>;

  static T weight(const T& w) { return w; }
  static T distance(const T& v) { return v; }
  static T value(const T& d) { return d; }
};

/// In the reversed order, the least weight of a path becomes the largest one.
template <class T>
struct device_order<max_min<T>> {
  static constexpr auto join = cuda::path_join::maximum;
  static constexpr bool has_kernels = cuda::has_joined_kernels<T, join>;

  static T weight(const T& w) { return reversed(w); }
  static T distance(const T& v) { return reversed(v); }
  static T value(const T& d) { return reversed(d); }

 private:
  static T reversed(const T& x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(~x);  // unlike -x, defined for the lowest value too
    } else {
      return T{} - x;  // 0 for x = 0, not -0
    }
  }
};

/// The largest product is the least one if products start with -1.
template <class T>
struct device_order<max_times<T>> {
  static constexpr auto join = cuda::path_join::product;
  static constexpr bool has_kernels = cuda::has_joined_kernels<T, join>;

  static T weight(const T& w) { return w; }
  static T distance(const T& v) { return -v; }
  static T value(const T& d) { return T{} - d; }  // unreachable is 0, not -0
};

}  // namespace apsp::inline v1::detail
