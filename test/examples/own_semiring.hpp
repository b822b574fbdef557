// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

// A semiring of the user's: the widest path and, among the widest, the one with the fewest edges.
// Weights are pairs of a width and the number 1.
struct widest_then_fewest {
  struct value_type {
    std::int32_t width;
    std::int32_t edges;
    APSP_HOST_DEVICE friend bool operator==(const value_type& a, const value_type& b) {
      return a.width == b.width && a.edges == b.edges;
    }
  };

  // One of two paths is chosen, and a cycle makes none wider or shorter.
  static constexpr bool is_selective = true;
  static constexpr bool cycles_never_improve = true;
  // True where own_semiring.cu, which compiles the kernels, is part of the program.
  static constexpr bool has_cuda_kernels = OWN_SEMIRING_HAS_KERNELS;

  value_type zero{0, 0};          // no path
  value_type one{2147483647, 0};  // the empty path

  APSP_HOST_DEVICE value_type plus(const value_type& a, const value_type& b) const {
    if (a.width != b.width) return a.width < b.width ? b : a;
    return b.edges < a.edges ? b : a;
  }
  APSP_HOST_DEVICE value_type times(const value_type& a, const value_type& b) const {
    if (a == zero || b == zero) return zero;
    return {a.width < b.width ? a.width : b.width, a.edges + b.edges};
  }
};
