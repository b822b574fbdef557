// SPDX-License-Identifier: BSL-1.0
#include "reduce.cuh"

namespace apsp::inline v1::detail::cuda {

#define APSP_INSTANTIATE(T) APSP_INSTANTIATE_ROWS(, T)
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::cuda
