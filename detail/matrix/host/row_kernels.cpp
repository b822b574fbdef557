// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "row_kernel.hpp"

namespace apsp::detail::host {

namespace {

template <class T>
const segment_kernels<T>& choose() {
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set best = choose_instruction_set();
  if (best == instruction_set::avx512) return avx512_segments<T>::table;
  if (best == instruction_set::avx2) return avx2_segments<T>::table;
#endif
  return baseline_segments<T>::table;
}

}  // namespace

#define APSP_DEFINE_SEGMENT_KERNELS(T)                      \
  template <>                                               \
  const segment_kernels<T>& compiled_segment_kernels<T>() { \
    return choose<T>();                                     \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_SEGMENT_KERNELS)
#undef APSP_DEFINE_SEGMENT_KERNELS

}  // namespace apsp::detail::host
