// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "tile_kernel_choice.hpp"
#include "tile_kernel_tables.hpp"

namespace apsp::detail::host {

namespace {

template <class S>
const tile_kernels<S>& table() {
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set chosen = choose_instruction_set();
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
APSP_FOR_EACH_TILE_SEMIRING(APSP_DEFINE_TILE_KERNELS)
#undef APSP_DEFINE_TILE_KERNELS

template <>
const tile_kernels<min_plus<int128>>& compiled_tile_kernels<min_plus<int128>>() {
  static constexpr tile_kernels<min_plus<int128>> table =
      tile_loops<min_plus<int128>, 0>::table("scalar");
  return table;
}

}  // namespace apsp::detail::host
