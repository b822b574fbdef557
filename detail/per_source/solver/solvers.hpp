// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../call/backend.hpp"
#include "../../elimination/path_values.hpp"
#include "../../values/distance_code.hpp"
#include "../../values/weight_types.hpp"
#include "../problem/problem.hpp"
#include "../search/host/solve.hpp"
#include "../sweep/host/elimination.hpp"
#include "cuda/solver.hpp"

// The solvers of single-source problems, one per backend.
namespace apsp::inline v1::detail {

template <class C>
solve_outcome solve_per_source(const host_backend& backend, const per_source_problem<C>& problem,
                               solver_output<C>& output) {
  if (problem.method == algorithm::elimination) {
    return host::sweep(problem.hierarchy->graph, sums_in(problem.hierarchy->code), problem,
                       backend.host_threads(), output, backend.watch());
  }
  return host::solve_per_source(problem, backend.host_threads(), output, backend.watch());
}

template <class C>
solve_outcome solve_per_source(const cuda_backend& backend, const per_source_problem<C>& problem,
                               solver_output<C>& output) {
  if constexpr (has_compiled_kernels<C>) {
    return cuda::solve_per_source(backend.target(), problem, output, backend.watch());
  } else {
    throw no_kernels(
        is_coded_integer<C>
            ? "a path of these weights may need 128-bit sums, which have no CUDA kernels"
            : "a path of these weights may leave the range of their type, and the next "
              "wider type has no CUDA kernels");
  }
}

}  // namespace apsp::inline v1::detail
