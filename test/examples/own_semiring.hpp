// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

// A user-defined semiring: the shortest path and, among the shortest, the widest.
struct shortest_then_widest {
  struct value_type {
    std::int32_t length;
    std::int32_t width;
    APSP_HOST_DEVICE friend bool operator==(const value_type& a, const value_type& b) {
      return a.length == b.length && a.width == b.width;
    }
  };

  // The sum of two paths is one of them, and a cycle makes no path shorter or wider.
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  // own_semiring.cu compiles the kernels.
  static constexpr bool has_cuda_kernels = true;

  value_type zero{1000000000, 0};  // no path
  value_type one{0, 2147483647};   // the empty path

  static constexpr bool admits(const value_type& w) { return w.length >= 0 && w.length < 1000000; }

  APSP_HOST_DEVICE value_type plus(const value_type& a, const value_type& b) const {
    if (a.length != b.length) return b.length < a.length ? b : a;
    return a.width < b.width ? b : a;
  }
  APSP_HOST_DEVICE value_type times(const value_type& a, const value_type& b) const {
    if (a == zero || b == zero) return zero;
    return {a.length + b.length, a.width < b.width ? a.width : b.width};
  }
};
