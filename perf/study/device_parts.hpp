// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../common/solver.hpp"
#include "report.hpp"

// The parts of the studies that need a device. Without CUDA they do nothing. Their lines have the
// graph and the size of the line about.
namespace studies {

using int_problem = apsp_perf::problem<std::int32_t>;

/// Part "edges per thread" of the study of single sources, x = k: a thread takes k consecutive
/// edges, or edges a grid's width apart, in all rounds of a search and in a round that changes
/// nothing.
void add_edge_orders(const int_problem& p, const line& about, const settings& s, report& out);

/// Part "transfers", x = n: copying the graph to the device from pageable and from pinned memory,
/// the search, and copying the row back. Part "streams", x = n: copy and search together, in one
/// stream or with the arcs in pieces on several streams, whose first round begins with the pieces
/// that have arrived. The time to copy the graph into pinned memory is not included.
void add_copies(const int_problem& p, const line& about, const settings& s, report& out);

/// Measures with CUDA events when the copies and kernels of Dijkstra from all sources begin and
/// end: copying the graph to the device, the solve, and copying the distances back. Adds a line per
/// step and policy, whose x is its start in seconds after the first step.
void add_time_line(const int_problem& p, const line& about, const settings& s, report& out);

}  // namespace studies
