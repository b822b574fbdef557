// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_per_source<double>(const launch_target&,
                                                const per_source_problem<double>&,
                                                row_sink<double>&, monitor&);
template device_row_outcome solve_into_device_rows<double, double>(
    const launch_target&, const per_source_problem<double>&,
    const device_row_target<double, double>&, monitor&);

}  // namespace apsp::detail::cuda
