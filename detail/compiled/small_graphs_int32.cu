// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../batch/cuda/small_graphs.cuh"

namespace apsp::detail::cuda {

template void solve_small_graphs<std::int32_t>(const launch_target&,
                                               std::span<const small_graph<std::int32_t>>,
                                               small_graph_exchange<std::int32_t>&, const monitor&);

}  // namespace apsp::detail::cuda
