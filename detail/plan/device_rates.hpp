// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>

// Rates of a device that only the planner reads.
namespace apsp::detail {

/// Dijkstra's algorithm on a device, on deep graphs: a block searches from one source, and a few hundred
/// blocks run at a time. The more levels a graph of that size has, the fewer vertices are open at a
/// time, and the smaller is the part of a block's memory that is in use. Whole calls on an H200 and an
/// H100, float, from 64, 1,024 and all sources of grids of 4,096 to 90,000 vertices, meshes in two and
/// three dimensions, and the roads of Luxembourg and New York (perf/results/h100_choice.csv): from 1,024
/// sources on the predictions are between 0.5 and 1.5 of the measured times, 0.17 to 1.6 ns per entry.
struct deep_searches_on_device {
  static constexpr double entry = 0.6;  ///< If the square of the number of levels is n.
  static constexpr double sources_at_once = 400;
  static constexpr double level = 5e3;  ///< At least, while so many blocks run.

  /// In nanoseconds.
  static double time(double num_sources, double n, double num_levels) {
    const double levels_of_mesh = num_levels * num_levels / n;
    const double by_entries = entry * std::pow(levels_of_mesh, -0.85) * n;
    const double by_levels = level * num_levels / sources_at_once;
    return std::max(by_entries, by_levels) * (num_sources + sources_at_once);
  }
};

/// The time that preparing an elimination takes beside a device, by that predicted for one thread on
/// the host: 0.5 to 1.7 on six graphs, with 16 threads of a virtual machine.
inline constexpr double preparation_beside_device = 1.5;

}  // namespace apsp::detail
