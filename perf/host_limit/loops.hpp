// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

/// c = min(c, a + b) on registers only, compiled for one instruction set: the maximum rate of a core.
struct limit_loops {
  /// Runs that many steps of the loop and returns the number of relaxations.
  using loop = double (*)(int steps);

  const char* instruction_set;
  loop f32;
  loop f64;
  loop i32;
  loop i64;

  template <class W>
  loop of() const {
    if constexpr (std::is_same_v<W, float>) return f32;
    if constexpr (std::is_same_v<W, double>) return f64;
    if constexpr (std::is_same_v<W, std::int32_t>) return i32;
    if constexpr (std::is_same_v<W, std::int64_t>) return i64;
  }
};

extern const limit_loops baseline_limit_loops;
extern const limit_loops avx2_limit_loops;
extern const limit_loops avx512_limit_loops;
