// SPDX-License-Identifier: BSL-1.0
#include "tile_kernel.hpp"
#include "tile_kernel_tables.hpp"

namespace apsp::detail::host {

#define APSP_DEFINE_TABLE(T) \
  template <>                \
  const tile_kernels<T> baseline_kernels<T>::table = tile_loops<T, 16>::table("baseline");
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_TABLE)
#undef APSP_DEFINE_TABLE

}  // namespace apsp::detail::host
