// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../weight_types.hpp"
#include "tile_kernel.hpp"

// One table of loops per instruction set, each defined in the file that is compiled for it.
namespace apsp::detail::host {

template <class T>
struct baseline_kernels {
  static const tile_kernels<T> table;
};
template <class T>
struct avx2_kernels {
  static const tile_kernels<T> table;
};
template <class T>
struct avx512_kernels {
  static const tile_kernels<T> table;
};

#define APSP_DECLARE_TABLES(T)                      \
  template <>                                       \
  const tile_kernels<T> baseline_kernels<T>::table; \
  template <>                                       \
  const tile_kernels<T> avx2_kernels<T>::table;     \
  template <>                                       \
  const tile_kernels<T> avx512_kernels<T>::table;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_TABLES)
#undef APSP_DECLARE_TABLES

}  // namespace apsp::detail::host
