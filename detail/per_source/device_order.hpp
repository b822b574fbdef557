// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "cuda/solver.hpp"

// How the values of a semiring are turned such that the least one is the best: kernels know of no other
// order.
namespace apsp::detail {

/// For a semiring that has kernels: what `weight` and `distance` make of its values, and `value` of a
/// distance; and how the kernels join paths.
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

/// The least weight of a path is the largest one after the order has been turned round.
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
      return static_cast<T>(~x);  // which the lowest value has, too, other than -x
    } else {
      return T{} - x;  // 0 where x is, not -0
    }
  }
};

/// The largest product is the least of those that begin with -1.
template <class T>
struct device_order<max_times<T>> {
  static constexpr auto join = cuda::path_join::product;
  static constexpr bool has_kernels = cuda::has_joined_kernels<T, join>;

  static T weight(const T& w) { return w; }
  static T distance(const T& v) { return -v; }
  static T value(const T& d) { return T{} - d; }  // no path is 0, not -0
};

}  // namespace apsp::detail
