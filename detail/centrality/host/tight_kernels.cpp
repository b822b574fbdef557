// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "tight_kernel.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_DEFINE_TIGHT_KERNELS(T)                                                 \
  template <>                                                                        \
  const tight_kernels<T>& compiled_tight_kernels<T>() {                              \
    return APSP_CHOSEN_LOOPS(avx512_tight_arcs<T>::table, avx2_tight_arcs<T>::table, \
                             baseline_tight_arcs<T>::table);                         \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_TIGHT_KERNELS)
#undef APSP_DEFINE_TIGHT_KERNELS

}  // namespace apsp::inline v1::detail::host
