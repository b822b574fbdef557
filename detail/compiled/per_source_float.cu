// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_per_source<float>(const launch_target&,
                                               const per_source_problem<float>&, row_sink<float>&,
                                               monitor&);
template device_row_outcome solve_into_device_rows<float, float>(
    const launch_target&, const per_source_problem<float>&, const device_row_target<float, float>&,
    monitor&);

}  // namespace apsp::detail::cuda
