// SPDX-License-Identifier: BSL-1.0
#pragma once

// Rates of an elimination, for the planner and the search for an order.
namespace apsp::inline v1::detail {

/// Of an elimination, in nanoseconds of one thread: AMD EPYC (Zen 4), g++ 12, float, on 26 graphs:
/// roads, meshes in two and three dimensions, geometric graphs, small worlds, R-MAT, random graphs,
/// a social network. Of supernodes and their entries on one core of an Intel Xeon (AVX-512), where
/// the predictions are 1.0 to 1.6 of the measured times of the customization: Luxembourg 1.2, New
/// York 1.2, a mesh in two dimensions 1.0, one in three 1.6, R-MAT with 16 arcs 1.2, wiki-Vote 1.4.
struct elimination_rates {
  double supernode = 400;
  double front_entry = 36;
  double front_time = 0.85;  ///< Of `order_structure::front_time`.
  double entry_read = 12;    ///< While the order is searched for.
  double arc_joined = 25;    ///< Of lists of neighbors, before the search for an order.
  /// All of an elimination, for each arc and arc per vertex, on most graphs with small separators:
  /// 90 to 240; but 50 on a mesh with 6 arcs per vertex, from which few sources are therefore
  /// searched. Without the second factor, grids of 1,600 and 4,096 vertices take 1.3 and 1.5 times
  /// as long.
  double arc = 200;
  double swept_vertex = 0.7;  ///< By a sweep from one source.
  double kept_arc = 0.1;
  double ancestor = 0.8;
  /// Of the time of a sweep that writes rows, and of a part of a search whose vertices are listed
  /// in place of a row of all: from 2,000 sources of Luxembourg and New York.
  double sweep_of_amounts = 0.45;
  double search_of_list = 1.6;
  double vertex_of_tree = 0.5;  ///< With predecessors, in addition.
  double arc_of_tree = 0.25;
  double incoming_arc = 30;  ///< Sorted before the first sweep with predecessors.
  // On a device, which only sweeps (perf/results/h200_hierarchy.csv).
  double device_start = 3e6;
  double device_sweep = 0.01;  ///< Of the time of the host.
  double least_sweep = 0.005;  ///< Of a vertex, by the fastest sweep.
};
inline constexpr elimination_rates eliminating{};

}  // namespace apsp::inline v1::detail
