// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "tile_kernel_choice.hpp"
#include "tile_kernel_tables.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_DEFINE_TILE_KERNELS(...)                                                              \
  template <>                                                                                      \
  const tile_kernels<__VA_ARGS__>& compiled_tile_kernels<__VA_ARGS__>() {                          \
    return APSP_CHOSEN_LOOPS(avx512_kernels<__VA_ARGS__>::table, avx2_kernels<__VA_ARGS__>::table, \
                             baseline_kernels<__VA_ARGS__>::table);                                \
  }
APSP_FOR_EACH_TILE_SEMIRING(APSP_DEFINE_TILE_KERNELS)
#undef APSP_DEFINE_TILE_KERNELS

template <>
const tile_kernels<min_plus<int128>>& compiled_tile_kernels<min_plus<int128>>() {
  static constexpr tile_kernels<min_plus<int128>> table =
      tile_loops<min_plus<int128>, 0>::table("scalar");
  return table;
}

}  // namespace apsp::inline v1::detail::host
