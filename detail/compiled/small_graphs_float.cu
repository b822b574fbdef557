// SPDX-License-Identifier: BSL-1.0
#include "../batch/cuda/small_graphs.cuh"

namespace apsp::detail::cuda {

template void solve_small_graphs<float>(const launch_target&, std::span<const small_graph<float>>,
                                        small_graph_exchange<float>&, const monitor&);

}  // namespace apsp::detail::cuda
