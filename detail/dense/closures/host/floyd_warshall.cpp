// SPDX-License-Identifier: BSL-1.0
#include "floyd_warshall.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_INSTANTIATE(...) template class floyd_warshall_solver<__VA_ARGS__>;
APSP_FOR_EACH_TILE_SEMIRING(APSP_INSTANTIATE)
APSP_INSTANTIATE(min_plus<int128>)
#undef APSP_INSTANTIATE

}  // namespace apsp::inline v1::detail::host
