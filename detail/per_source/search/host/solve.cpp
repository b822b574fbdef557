// SPDX-License-Identifier: BSL-1.0
#include "solve.hpp"

namespace apsp::inline v1::detail::host {

#define APSP_INSTANTIATE_SOLVE(C)                                                                  \
  template solve_outcome solve_per_source<C>(const per_source_problem<C>&, int, solver_output<C>&, \
                                             monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE_SOLVE)
APSP_INSTANTIATE_SOLVE(int128)

}  // namespace apsp::inline v1::detail::host
