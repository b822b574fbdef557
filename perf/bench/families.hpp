// SPDX-License-Identifier: BSL-1.0
#pragma once

// The families of cases; the file of each says what its names are made of.
namespace bench {

/// Every algorithm under every policy on every graph: distances, predecessors, and data on a device.
void add_all_pairs();
/// Dense matrices over semirings.
void add_algebra();
/// Which vertices are reachable.
void add_closures();
/// Many small graphs in one call.
void add_batches();
/// What is made of a distance matrix.
void add_summaries();
/// What it costs to read a graph.
void add_adaptors();
/// Rows handed to a function.
void add_rows();
/// How soon a call ends that is asked to.
void add_stops();
/// What processors and devices do at most, on registers.
void add_limits();

}  // namespace bench
