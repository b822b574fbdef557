// SPDX-License-Identifier: BSL-1.0
#include "../../../host/instruction_set.hpp"
#include "sweep_kernel.hpp"

namespace apsp::detail::host {

namespace {

template <class S>
const sweep_kernels<S>& choose(batch_width width) {
  return width == batch_width::narrow
             ? APSP_CHOSEN_LOOPS(avx512_sweeps<S>::narrow, avx2_sweeps<S>::narrow,
                                 baseline_sweeps<S>::narrow)
             : APSP_CHOSEN_LOOPS(avx512_sweeps<S>::wide, avx2_sweeps<S>::wide,
                                 baseline_sweeps<S>::wide);
}

}  // namespace

#define APSP_DEFINE_SWEEP_KERNELS(...)                                                       \
  template <>                                                                                \
  const sweep_kernels<__VA_ARGS__>& compiled_sweep_kernels<__VA_ARGS__>(batch_width width) { \
    return choose<__VA_ARGS__>(width);                                                       \
  }
APSP_FOR_EACH_VECTOR_SEMIRING(APSP_DEFINE_SWEEP_KERNELS)
#undef APSP_DEFINE_SWEEP_KERNELS

}  // namespace apsp::detail::host
