// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "report.hpp"

// The published experiments that are run again. Each adds its lines to the report; those of a device are
// left out without one.
namespace studies {

/// Repeated squaring: one thread, a thread per entry, tiles in shared memory.
void study_repeated_squaring(const settings& s, report& out, bool has_device);
/// Floyd–Warshall, a kernel per pivot against one thread of the host, up to what memory holds.
void study_floyd_warshall(const settings& s, report& out, bool has_device);
/// Dijkstra from all sources: a thread per source, a thread block per source, one thread of the host.
void study_dijkstra(const settings& s, report& out, bool has_device);
/// Bellman–Ford from all sources, one after the other or many at once, against Dijkstra on the host.
void study_bellman_ford(const settings& s, report& out, bool has_device);
/// Bellman–Ford from one source of a complete graph, by edges and by vertices; copies and streams.
void study_single_source(const settings& s, report& out, bool has_device);

}  // namespace studies
