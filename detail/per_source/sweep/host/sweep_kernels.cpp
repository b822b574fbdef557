// SPDX-License-Identifier: BSL-1.0
#include "../../../host/instruction_set.hpp"
#include "sweep_kernel.hpp"

namespace apsp::detail::host {

namespace {

template <class S>
const sweep_kernels<S>& choose(batch_width width) {
  const auto of = [&]<class Sweeps>(Sweeps) -> const sweep_kernels<S>& {
    return width == batch_width::narrow ? Sweeps::narrow : Sweeps::wide;
  };
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set best = choose_instruction_set();
  if (best == instruction_set::avx512) return of(avx512_sweeps<S>{});
  if (best == instruction_set::avx2) return of(avx2_sweeps<S>{});
#endif
  return of(baseline_sweeps<S>{});
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
