// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_joined_per_source<std::int64_t, path_join::maximum>(
    const launch_target&, const per_source_problem<std::int64_t>&, row_sink<std::int64_t>&,
    monitor&);

}  // namespace apsp::detail::cuda
