// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "report.hpp"

// The published experiments. Each adds its lines to the report; without a device, the lines of a device are
// omitted.
namespace studies {

/// Repeated squaring: one thread, a thread per entry, tiles in shared memory.
void study_repeated_squaring(const settings& s, report& out, bool has_device);
/// Floyd–Warshall, a kernel per pivot compared with one host thread, up to the memory limit.
void study_floyd_warshall(const settings& s, report& out, bool has_device);
/// Dijkstra from all sources: a thread per source, a CUDA block per source, one host thread.
void study_dijkstra(const settings& s, report& out, bool has_device);
/// Bellman–Ford from all sources, one after the other or many at once, compared with Dijkstra on the host.
void study_bellman_ford(const settings& s, report& out, bool has_device);
/// Bellman–Ford from one source of a complete graph, by edges and by vertices; copies and streams.
void study_single_source(const settings& s, report& out, bool has_device);

}  // namespace studies
