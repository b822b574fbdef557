// SPDX-License-Identifier: BSL-1.0
#include "floyd_warshall.hpp"

namespace apsp::detail::host {

#define APSP_INSTANTIATE(T) template class floyd_warshall_solver<T>;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE)
APSP_INSTANTIATE(int128)
#undef APSP_INSTANTIATE

}  // namespace apsp::detail::host
