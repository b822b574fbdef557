// SPDX-License-Identifier: BSL-1.0
#include "../summary/host/row_kernel.hpp"

namespace apsp::detail::host {

#define APSP_DEFINE_SEGMENT(T) \
  template <>                  \
  const segment_function<T> avx2_segment<T>::function = segment_loop<T, 32>::run;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_SEGMENT)
#undef APSP_DEFINE_SEGMENT

}  // namespace apsp::detail::host
