// SPDX-License-Identifier: BSL-1.0
#include "../../../host/instruction_set.hpp"
#include "search_kernel.hpp"

namespace apsp::detail::host {

const search_kernels& choose_search_kernels(std::size_t num_words) {
  const std::size_t which = num_words == 1 ? 0 : 1;
#ifdef APSP_HAS_X86_KERNELS
  static const instruction_set best = choose_instruction_set();
  if (best == instruction_set::avx512) return avx512_searches[which];
  if (best == instruction_set::avx2) return avx2_searches[which];
#endif
  return baseline_searches[which];
}

}  // namespace apsp::detail::host
