// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../generators.hpp"
#include "report.hpp"

namespace studies {

/// When the copies and the kernels of Dijkstra from all sources begin and end on a device, by its own
/// events: the graph to the device, the solve there, the distances back. A line per step under either
/// policy, whose x is when it begins, in seconds after the first.
void add_time_line(const apsp_perf::csr_arrays<std::int32_t>& g, report& out);

}  // namespace studies
