// SPDX-License-Identifier: BSL-1.0
#include "floyd_warshall_solver.cuh"

namespace apsp::detail::cuda {

template class floyd_warshall_solver<float>;
template class floyd_warshall_solver<double>;

}  // namespace apsp::detail::cuda
