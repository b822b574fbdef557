// SPDX-License-Identifier: BSL-1.0
#include "row_summary.cuh"

namespace apsp::detail::cuda {

#define APSP_INSTANTIATE(T)                                                                      \
  template bool summarize_rows<T>(const launch_target&, const row_source<T>&, T, monitor&,       \
                                  row_record<T>*);                                               \
  template bool count_rows<T>(const launch_target&, const row_source<T>&, T, const bin_rule<T>&, \
                              monitor&, std::vector<std::uint64_t>&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::detail::cuda
