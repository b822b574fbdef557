// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "floyd_warshall_solver.cuh"

namespace apsp::detail::cuda {

template class floyd_warshall_solver<std::int32_t>;
template class floyd_warshall_solver<std::int64_t>;

}  // namespace apsp::detail::cuda
