// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "decay_kernel.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_DEFINE_DECAY_KERNELS(T)                                         \
  template <>                                                                \
  const decay_kernels<T>& compiled_decay_kernels<T>() {                      \
    return APSP_CHOSEN_LOOPS(avx512_decays<T>::table, avx2_decays<T>::table, \
                             baseline_decays<T>::table);                     \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_DECAY_KERNELS)
#undef APSP_DEFINE_DECAY_KERNELS

}  // namespace apsp::inline v1::detail::host
