// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

/// The maximum rate of relaxations of a core, measured by c = min(c, a + b) on registers only.
namespace host_limit {

/// Runs that many steps of a loop and returns the number of relaxations.
using loop = double (*)(int steps);

/// The loops, compiled for one instruction set.
struct loops {
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
extern const loops baseline;
extern const loops avx2;
extern const loops avx512;

/// The instruction sets of this processor, the best one last.
std::vector<const loops*> instruction_sets();

/// The instruction set that the library selects, with regard to APSP_INSTRUCTION_SET.
const loops& chosen_instruction_set();

/// The number of threads of apsp::omp.
int num_threads();

/// Returns the relaxations per second of all threads together, the sum of their own rates. Unlike
/// in a solve, there is no shared work, so a delayed thread must not affect the others. Takes about
/// 10 ms.
double measure(loop relax, int threads);

}  // namespace host_limit
