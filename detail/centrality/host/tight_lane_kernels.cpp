// SPDX-License-Identifier: BSL-1.0
#include "tight_lane_kernel.hpp"

#include <cstdint>

#include "../../host/instruction_set.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_CHOOSE_TIGHT_LANES(C)                                                     \
  template <>                                                                          \
  const tight_lane_kernels<C>& choose_tight_lane_kernels<C>() {                        \
    return APSP_CHOSEN_LOOPS(avx512_tight_lanes<C>::table, avx2_tight_lanes<C>::table, \
                             baseline_tight_lanes<C>::table);                          \
  }
APSP_FOR_EACH_COUNTED_TYPE(APSP_CHOOSE_TIGHT_LANES)
#undef APSP_CHOOSE_TIGHT_LANES

}  // namespace apsp::inline v1::detail::host
