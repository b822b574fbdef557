// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_per_source<double>(const launch_target&,
                                                const per_source_problem<double>&,
                                                row_sink<double>&, monitor&);
template resident_outcome solve_resident_per_source<double, double>(
    const launch_target&, const per_source_problem<double>&,
    const resident_row_target<double, double>&, monitor&);

}  // namespace apsp::detail::cuda
