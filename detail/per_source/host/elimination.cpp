// SPDX-License-Identifier: BSL-1.0
#include "elimination.hpp"

namespace apsp::detail::host {

#define APSP_INSTANTIATE_ELIMINATION(C)                                                          \
  template prepared_hierarchy<C> eliminate<C>(const adjacency_view<C>&, const distance_code<C>&, \
                                              int, const monitor&);                              \
  template solve_outcome sweep<C>(const hierarchy<C>&, const distance_code<C>&,                  \
                                  const per_source_problem<C>&, int, solver_output<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_INSTANTIATE_ELIMINATION)
APSP_INSTANTIATE_ELIMINATION(int128)
APSP_INSTANTIATE_ELIMINATION(long double)

}  // namespace apsp::detail::host
