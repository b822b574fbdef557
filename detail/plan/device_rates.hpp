// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>

// Rates of a device that only the planner reads.
namespace apsp::detail {

/// Dijkstra's algorithm on a device, on deep graphs: a block searches from one source, and a few
/// hundred blocks run at a time. The more levels a graph of that size has, the fewer vertices are
/// open at a time, and the smaller is the part of a block's memory that is in use. Fitted to whole
/// calls on an H200 and compared with whole calls on an H100 (perf/results/h100_choice.csv), float,
/// from 64, 1,024 and all sources of grids of 4,096 to 90,000 vertices, meshes in two and three
/// dimensions, and the roads of Luxembourg and New York: an entry takes 0.17 to 2.5 ns from 1,024
/// sources on, and the predictions are between 0.5 and 1.8 of the measured times. The time of an
/// arc and source is the least one of R-MAT.
struct deep_searches_on_device {
  static constexpr double entry = 0.6;  ///< If the square of the number of levels is n.
  static constexpr double arc = 0.02;
  static constexpr double sources_at_once = 400;
  static constexpr double level = 2e3;  ///< The least time of a level of that many searches.

  /// In nanoseconds.
  static double time(double num_sources, double n, double m, double num_levels) {
    const double squared_levels_per_vertex = num_levels * num_levels / n;
    const double by_entries = entry * std::pow(squared_levels_per_vertex, -0.85) * n;
    const double by_levels = level * num_levels / sources_at_once;
    return std::max({by_entries, by_levels, arc * m}) * (num_sources + sources_at_once);
  }
};

/// Beside a device, an elimination is prepared on the host. The measured time divided by that
/// predicted for one thread was 0.5 to 1.7 on six graphs, with 16 threads of a virtual machine.
inline constexpr double preparation_beside_device = 1.5;

}  // namespace apsp::detail
