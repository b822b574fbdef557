// SPDX-License-Identifier: BSL-1.0
#include "tight_lane_kernel.hpp"

#include <cstddef>
#include <cstdint>

#include "../../host/instruction_set.hpp"

namespace apsp::detail::host {

#define APSP_CHOOSE_TIGHT_LANES(C)                                                     \
  template <>                                                                          \
  const tight_lane_kernels<C>& choose_tight_lane_kernels<C>() {                        \
    return APSP_CHOSEN_LOOPS(avx512_tight_lanes<C>::table, avx2_tight_lanes<C>::table, \
                             baseline_tight_lanes<C>::table);                          \
  }
APSP_FOR_EACH_COUNTED_TYPE(APSP_CHOOSE_TIGHT_LANES)
#undef APSP_CHOOSE_TIGHT_LANES

void add_products(const double* x, const double* y, std::size_t count, double* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += x[i] * y[i];
}

}  // namespace apsp::detail::host
