// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "sweep_kernel.hpp"

namespace apsp::detail::host {

namespace {

template <class S>
const sweep_kernels<S>& choose() {
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set best = choose_instruction_set();
  if (best == instruction_set::avx512) return avx512_sweeps<S>::table;
  if (best == instruction_set::avx2) return avx2_sweeps<S>::table;
#endif
  return baseline_sweeps<S>::table;
}

}  // namespace

#define APSP_DEFINE_SWEEP_KERNELS(T)                                        \
  template <>                                                               \
  const sweep_kernels<min_plus<T>>& compiled_sweep_kernels<min_plus<T>>() { \
    return choose<min_plus<T>>();                                           \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_SWEEP_KERNELS)
#undef APSP_DEFINE_SWEEP_KERNELS

}  // namespace apsp::detail::host
