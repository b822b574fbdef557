// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"
#include "tile_kernel.hpp"

namespace apsp::inline v1::detail::host {

/// The loops of the library for the best instruction set of this processor. The environment
/// variable APSP_INSTRUCTION_SET (baseline, avx2 or avx512) selects a lesser one.
template <class S>
APSP_EXPORT const tile_kernels<S>& compiled_tile_kernels();

#define APSP_DECLARE_TILE_KERNELS(...) \
  template <>                          \
  APSP_EXPORT const tile_kernels<__VA_ARGS__>& compiled_tile_kernels<__VA_ARGS__>();
APSP_FOR_EACH_TILE_SEMIRING(APSP_DECLARE_TILE_KERNELS)
APSP_DECLARE_TILE_KERNELS(min_plus<int128>)
#undef APSP_DECLARE_TILE_KERNELS

template <class S>
inline constexpr bool has_compiled_tile_kernels =
    has_library_kernels<S> || std::is_same_v<S, min_plus<std::uint16_t>>;

/// The loops for semiring S: from the library, or compiled here for a semiring that the library
/// lacks.
template <class S>
const tile_kernels<S>& choose_tile_kernels() {
  if constexpr (has_compiled_tile_kernels<S>) {
    return compiled_tile_kernels<S>();
  } else {
    static constexpr tile_kernels<S> table = tile_loops<S, 0>::table("scalar");
    return table;
  }
}

}  // namespace apsp::inline v1::detail::host
