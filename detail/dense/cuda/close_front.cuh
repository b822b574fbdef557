// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

#include "../../../apsp/error.hpp"
#include "../../../apsp/policy.hpp"
#include "../../device/launch_target.hpp"
#include "../../elimination/front_closer.hpp"
#include "../../elimination/path_values.hpp"
#include "../../host/monitor.hpp"
#include "../problem.hpp"
#include "closure_solver.cuh"

namespace apsp::detail::cuda {

template <class S>
bool close_front(const launch_target& target, const path_values<S>& values, std::size_t size,
                 typename S::value_type* entries) {
  using T = typename S::value_type;
  std::vector<T*> rows(size);
  for (std::size_t i = 0; i < size; ++i) rows[i] = entries + i * size;
  // A front is one of many steps of a call, which reports none of them.
  monitor unwatched{unobserved{}};
  try {
    closure_solver<S> solver(target, closure_method::floyd_warshall, values.semiring, size, false);
    solver.load(rows.data(), values.none);
    solver.solve(values.floor, size, unwatched);
    solver.store(rows.data(), nullptr);
  } catch (const device_error& error) {
    if (error.bytes_needed() == 0) throw;
    return false;
  }
  return true;
}

}  // namespace apsp::detail::cuda
