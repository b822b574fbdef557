// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../weight_types.hpp"
#include "tile_kernel.hpp"

namespace apsp::detail::host {

/// The loops of the library for the best instruction set of this processor. The environment
/// variable APSP_INSTRUCTION_SET (baseline, avx2 or avx512) asks for a lesser one.
template <class T>
const tile_kernels<T>& compiled_tile_kernels();

#define APSP_DECLARE_TILE_KERNELS(T) \
  template <>                        \
  const tile_kernels<T>& compiled_tile_kernels<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_TILE_KERNELS)
APSP_DECLARE_TILE_KERNELS(int128)
#undef APSP_DECLARE_TILE_KERNELS

/// The loops for weight type T: from the library, or compiled here for a type it does not have.
template <class T>
const tile_kernels<T>& choose_tile_kernels() {
  if constexpr (has_compiled_kernels<T> || std::is_same_v<T, int128>) {
    return compiled_tile_kernels<T>();
  } else {
    static constexpr tile_kernels<T> table = tile_loops<T, 0>::table("scalar");
    return table;
  }
}

}  // namespace apsp::detail::host
