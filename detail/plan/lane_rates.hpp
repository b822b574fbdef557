// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// Rates of searches from batches of sources, one in each lane, on a host.
namespace apsp::inline v1::detail {

/// Of an entry of the result, in nanoseconds of one thread, for 32-bit types.
struct lane_rates {
  double vertex = 1.0;  ///< For the memory of the lanes and the row.
  double arc = 0.065;   ///< Read once.
  /// How often an arc is read. In deep graphs more often the farther the sources of a batch are
  /// from each other. The rates are chosen so that the faster one of these searches and Dijkstra's
  /// algorithm is taken on most of the graphs of perf/results/host_lanes.csv, which has the
  /// command; the rate of levels rather too high, since elimination is the better way in deep
  /// graphs.
  double reads = 10;
  double reads_of_level = 1.5;
  double growth = 0.1;          ///< As in `search_speed`.
  double time_of_narrow = 0.7;  ///< Of a batch of 16 sources, compared with one of 64.
  double short_type = 0.6;      ///< Of lanes of 16 bits.
  // Once for all sources.
  double order_of_vertex = 60;
  double order_of_arc = 25;
};
inline constexpr lane_rates in_lanes{};

/// A search from one source that ends at the last of so many targets has seen most vertices.
inline constexpr std::size_t fewest_targets_of_lanes = 64;

}  // namespace apsp::inline v1::detail
