// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../monitor.hpp"
#include "../per_source_problem.hpp"
#include "../weight_types.hpp"
#include "launch_target.hpp"

// The launch interface of the per-source CUDA kernels; like that of Floyd–Warshall it has no CUDA type
// in it, and a library built without CUDA has the same symbols.
namespace apsp::detail::cuda {

/// Solves for all sources of @p problem and hands the rows to @p sink, in batches that fit in device
/// memory: while rows of one travel to the host, the next is solved. Rows are finished by several host
/// threads; when this returns, all of them are.
/// @throws device_error if there is too little memory for the graph and the fewest sources that are solved
/// for together, or a CUDA call fails.
template <class C>
solve_outcome solve_per_source(const launch_target& target, const per_source_problem<C>& problem,
                               row_sink<C>& sink, monitor& watch);

#define APSP_EXTERN_SOLVE(C)                         \
  extern template solve_outcome solve_per_source<C>( \
      const launch_target&, const per_source_problem<C>&, row_sink<C>&, monitor&);
APSP_FOR_EACH_WEIGHT_TYPE(APSP_EXTERN_SOLVE)
#undef APSP_EXTERN_SOLVE

}  // namespace apsp::detail::cuda
