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

#define APSP_DEFINE_SWEEP_KERNELS(...)                                      \
  template <>                                                               \
  const sweep_kernels<__VA_ARGS__>& compiled_sweep_kernels<__VA_ARGS__>() { \
    return choose<__VA_ARGS__>();                                           \
  }
APSP_FOR_EACH_VECTOR_SEMIRING(APSP_DEFINE_SWEEP_KERNELS)
#undef APSP_DEFINE_SWEEP_KERNELS

}  // namespace apsp::detail::host
