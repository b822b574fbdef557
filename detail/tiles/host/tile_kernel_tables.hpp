// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../values/kernel_semirings.hpp"
#include "tile_kernel.hpp"

// One table of loops per instruction set, each defined in the file that is compiled for it.
namespace apsp::inline v1::detail::host {

template <class S>
struct baseline_kernels {
  static const tile_kernels<S> table;
};
template <class S>
struct avx2_kernels {
  static const tile_kernels<S> table;
};
template <class S>
struct avx512_kernels {
  static const tile_kernels<S> table;
};

#define APSP_DECLARE_TABLES(...)                                        \
  template <>                                                           \
  const tile_kernels<__VA_ARGS__> baseline_kernels<__VA_ARGS__>::table; \
  template <>                                                           \
  const tile_kernels<__VA_ARGS__> avx2_kernels<__VA_ARGS__>::table;     \
  template <>                                                           \
  const tile_kernels<__VA_ARGS__> avx512_kernels<__VA_ARGS__>::table;
APSP_FOR_EACH_TILE_SEMIRING(APSP_DECLARE_TABLES)
#undef APSP_DECLARE_TABLES

}  // namespace apsp::inline v1::detail::host
