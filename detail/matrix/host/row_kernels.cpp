// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "row_kernel.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_DEFINE_SEGMENT_KERNELS(T)                                           \
  template <>                                                                    \
  const segment_kernels<T>& compiled_segment_kernels<T>() {                      \
    return APSP_CHOSEN_LOOPS(avx512_segments<T>::table, avx2_segments<T>::table, \
                             baseline_segments<T>::table);                       \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_SEGMENT_KERNELS)
#undef APSP_DEFINE_SEGMENT_KERNELS

}  // namespace apsp::inline v1::detail::host
