// SPDX-License-Identifier: BSL-1.0
#include "reduce.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_INSTANTIATE(T)                                                             \
  template row_record<T> summarize_row<T>(const T*, std::size_t, std::size_t, T);       \
  template void count_row<T>(const T*, std::size_t, std::size_t, T, const bin_rule<T>&, \
                             row_counts&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::host
