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

template <class S>
const tile_kernels<S>& table() {
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set chosen = choose();
  if (chosen == instruction_set::avx512) return avx512_kernels<S>::table;
  if (chosen == instruction_set::avx2) return avx2_kernels<S>::table;
#endif
  return baseline_kernels<S>::table;
}

}  // namespace

#define APSP_DEFINE_TILE_KERNELS(...)                                     \
  template <>                                                             \
  const tile_kernels<__VA_ARGS__>& compiled_tile_kernels<__VA_ARGS__>() { \
    return table<__VA_ARGS__>();                                          \
  }
APSP_FOR_EACH_VECTOR_SEMIRING(APSP_DEFINE_TILE_KERNELS)
#undef APSP_DEFINE_TILE_KERNELS

template <>
const tile_kernels<min_plus<int128>>& compiled_tile_kernels<min_plus<int128>>() {
  static constexpr tile_kernels<min_plus<int128>> table =
      tile_loops<min_plus<int128>, 0>::table("scalar");
  return table;
}

}  // namespace apsp::detail::host
