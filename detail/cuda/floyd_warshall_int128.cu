// SPDX-License-Identifier: BSL-1.0
#include "floyd_warshall_solver.cuh"

namespace apsp::detail::cuda {

template class floyd_warshall_solver<int128>;

}  // namespace apsp::detail::cuda
