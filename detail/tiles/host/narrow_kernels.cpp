// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "narrow_kernel.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_DEFINE_NARROW_KERNELS(T)                                        \
  template <>                                                                \
  const narrow_kernels<T>& choose_narrow_kernels<T>() {                      \
    return APSP_CHOSEN_LOOPS(avx512_narrow<T>::table, avx2_narrow<T>::table, \
                             baseline_narrow<T>::table);                     \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_NARROW_KERNELS)
#undef APSP_DEFINE_NARROW_KERNELS

bool are_16_bits_faster() {
#ifdef APSP_HAS_X86_KERNELS
  return chosen_instruction_set() != instruction_set::baseline;
#else
  return true;
#endif
}

}  // namespace apsp::inline v1::detail::host
