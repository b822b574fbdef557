// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <cstring>

namespace apsp::inline v1::detail::host {

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

inline instruction_set chosen_instruction_set() {
  static const instruction_set chosen = choose_instruction_set();
  return chosen;
}

/// The loops of the chosen instruction set.
template <class Loops>
const Loops& chosen_loops(const Loops& avx512, const Loops& avx2, const Loops& baseline) {
  switch (chosen_instruction_set()) {
    case instruction_set::avx512:
      return avx512;
    case instruction_set::avx2:
      return avx2;
    default:
      return baseline;
  }
}

}  // namespace apsp::inline v1::detail::host

// `chosen_loops` of loops that are compiled for each instruction set. On other processors there are
// only those without special instructions.
#ifdef APSP_HAS_X86_KERNELS
#define APSP_CHOSEN_LOOPS(AVX512, AVX2, BASELINE) \
  ::apsp::detail::host::chosen_loops(AVX512, AVX2, BASELINE)
#else
#define APSP_CHOSEN_LOOPS(AVX512, AVX2, BASELINE) (BASELINE)
#endif
