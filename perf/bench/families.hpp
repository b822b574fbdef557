// SPDX-License-Identifier: BSL-1.0
#pragma once

// The families of cases; the source of each defines the names of its cases.
namespace bench {

/// Every algorithm with every policy on every graph: distances, predecessors, and data on a device.
void add_all_pairs();
/// Products and closures of dense matrices over semirings.
void add_algebra();
/// Transitive closures.
void add_closures();
/// Many small graphs in one call.
void add_batches();
/// Summaries of a distance matrix.
void add_summaries();
/// The time to read a graph.
void add_adaptors();
/// Rows passed to a function.
void add_rows();
/// The time from a stop request to the return of the call.
void add_stops();
/// The maximum rates of processors and devices, on registers.
void add_limits();

}  // namespace bench
