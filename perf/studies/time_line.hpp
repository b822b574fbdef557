// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../generators.hpp"
#include "report.hpp"

namespace studies {

/// Measures with CUDA events when the copies and kernels of Dijkstra from all sources begin and end: copying
/// the graph to the device, the solve, and copying the distances back. Adds a line per step and policy, whose
/// x is its start in seconds after the first step.
void add_time_line(const apsp_perf::csr_arrays<std::int32_t>& g, report& out);

}  // namespace studies
