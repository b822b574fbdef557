// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_joined_per_source<float, path_join::maximum>(
    const launch_target&, const per_source_problem<float>&, row_sink<float>&, monitor&);
template solve_outcome solve_joined_per_source<float, path_join::product>(
    const launch_target&, const per_source_problem<float>&, row_sink<float>&, monitor&);

}  // namespace apsp::detail::cuda
