// SPDX-License-Identifier: BSL-1.0
#include "../../../host/instruction_set.hpp"
#include "lane_kernel.hpp"

namespace apsp::inline v1::detail::host {

namespace {

template <class S>
const lane_kernels<S>& choose(batch_width width) {
  return width == batch_width::narrow
             ? APSP_CHOSEN_LOOPS(avx512_lanes<S>::narrow, avx2_lanes<S>::narrow,
                                 baseline_lanes<S>::narrow)
             : APSP_CHOSEN_LOOPS(avx512_lanes<S>::wide, avx2_lanes<S>::wide,
                                 baseline_lanes<S>::wide);
}

}  // namespace

#define APSP_DEFINE_LANE_KERNELS(...)                                                      \
  template <>                                                                              \
  const lane_kernels<__VA_ARGS__>& compiled_lane_kernels<__VA_ARGS__>(batch_width width) { \
    return choose<__VA_ARGS__>(width);                                                     \
  }
APSP_FOR_EACH_TILE_SEMIRING(APSP_DEFINE_LANE_KERNELS)
#undef APSP_DEFINE_LANE_KERNELS

}  // namespace apsp::inline v1::detail::host
