// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "../per_source/cuda/solver.cuh"

namespace apsp::detail::cuda {

template solve_outcome solve_per_source<std::int32_t>(const launch_target&,
                                                      const per_source_problem<std::int32_t>&,
                                                      row_sink<std::int32_t>&, monitor&);
template device_row_outcome solve_into_device_rows<std::int32_t, std::int32_t>(
    const launch_target&, const per_source_problem<std::int32_t>&,
    const device_row_target<std::int32_t, std::int32_t>&, monitor&);

}  // namespace apsp::detail::cuda
