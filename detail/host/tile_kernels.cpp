// SPDX-License-Identifier: BSL-1.0
#include <cstdlib>
#include <cstring>

#include "tile_kernel_choice.hpp"
#include "tile_kernel_tables.hpp"

namespace apsp::detail::host {

namespace {

enum class instruction_set { baseline, avx2, avx512 };

instruction_set choose() {
  auto best = instruction_set::baseline;
#ifdef APSP_HAS_X86_KERNELS
  if (__builtin_cpu_supports("avx2")) best = instruction_set::avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
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

template <class T>
const tile_kernels<T>& table() {
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set chosen = choose();
  if (chosen == instruction_set::avx512) return avx512_kernels<T>::table;
  if (chosen == instruction_set::avx2) return avx2_kernels<T>::table;
#endif
  return baseline_kernels<T>::table;
}

}  // namespace

#define APSP_DEFINE_TILE_KERNELS(T)                   \
  template <>                                         \
  const tile_kernels<T>& compiled_tile_kernels<T>() { \
    return table<T>();                                \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_TILE_KERNELS)
#undef APSP_DEFINE_TILE_KERNELS

template <>
const tile_kernels<int128>& compiled_tile_kernels<int128>() {
  static constexpr tile_kernels<int128> table = tile_loops<int128, 0>::table("scalar");
  return table;
}

}  // namespace apsp::detail::host
