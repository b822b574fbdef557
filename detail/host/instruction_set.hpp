// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <cstring>

namespace apsp::detail::host {

enum class instruction_set { baseline, avx2, avx512 };

/// The best instruction set of this processor for which the library has loops. The environment
/// variable APSP_INSTRUCTION_SET (baseline, avx2 or avx512) selects a lesser one.
inline instruction_set choose_instruction_set() {
  auto best = instruction_set::baseline;
#ifdef APSP_HAS_X86_KERNELS
  if (__builtin_cpu_supports("avx2")) best = instruction_set::avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw")) {
    best = instruction_set::avx512;
  }
  if (const char* wanted = std::getenv("APSP_INSTRUCTION_SET")) {
    if (std::strcmp(wanted, "baseline") == 0) return instruction_set::baseline;
    if (std::strcmp(wanted, "avx2") == 0 && best == instruction_set::avx512) {
      return instruction_set::avx2;
    }
  }
#endif
  return best;
}

}  // namespace apsp::detail::host
