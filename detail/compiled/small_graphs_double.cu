// SPDX-License-Identifier: BSL-1.0
#include "../batch/cuda/small_graphs.cuh"

namespace apsp::detail::cuda {

template void solve_small_graphs<double>(const launch_target&, std::span<const small_graph<double>>,
                                         small_graph_exchange<double>&, const monitor&);

}  // namespace apsp::detail::cuda
