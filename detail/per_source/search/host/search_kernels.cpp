// SPDX-License-Identifier: BSL-1.0
#include "../../../host/instruction_set.hpp"
#include "search_kernel.hpp"

namespace apsp::inline v1::detail::host {

const search_kernels& choose_search_kernels(std::size_t num_words) {
  const std::size_t which = num_words == 1 ? 0 : 1;
  return APSP_CHOSEN_LOOPS(avx512_searches[which], avx2_searches[which], baseline_searches[which]);
}

}  // namespace apsp::inline v1::detail::host
