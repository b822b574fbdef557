// SPDX-License-Identifier: BSL-1.0
#include "../../host/instruction_set.hpp"
#include "reduce.hpp"
#include "row_kernel.hpp"

namespace apsp::detail::host {

namespace {

template <class T>
segment_function<T> choose() {
#ifdef APSP_HAS_X86_KERNELS
  const instruction_set best = choose_instruction_set();
  if (best == instruction_set::avx512) return avx512_segment<T>::function;
  if (best == instruction_set::avx2) return avx2_segment<T>::function;
#endif
  return baseline_segment<T>::function;
}

}  // namespace

#define APSP_DEFINE_SEGMENT_FUNCTION(T)                    \
  template <>                                              \
  segment_function<T> compiled_segment_function<T>() {     \
    static const segment_function<T> chosen = choose<T>(); \
    return chosen;                                         \
  }
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DEFINE_SEGMENT_FUNCTION)
#undef APSP_DEFINE_SEGMENT_FUNCTION

#define APSP_INSTANTIATE(T)                                                             \
  template row_record<T> summarize_row<T>(const T*, std::size_t, std::size_t, T);       \
  template void count_row<T>(const T*, std::size_t, std::size_t, T, const bin_rule<T>&, \
                             row_counts&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::detail::host
