// SPDX-License-Identifier: BSL-1.0
#include "../dense/host/tile_kernel.hpp"
#include "../dense/host/tile_kernel_tables.hpp"

namespace apsp::detail::host {

#define APSP_DEFINE_TABLE(...)                                         \
  template <>                                                          \
  const tile_kernels<__VA_ARGS__> avx512_kernels<__VA_ARGS__>::table = \
      tile_loops<__VA_ARGS__, 64>::table("avx512");
APSP_FOR_EACH_VECTOR_SEMIRING(APSP_DEFINE_TABLE)
#undef APSP_DEFINE_TABLE

}  // namespace apsp::detail::host
