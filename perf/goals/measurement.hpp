// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "goal.hpp"

namespace goals {

struct how_to_measure {
  std::size_t divisor = 1;  ///< of every number of vertices
  int repeat = 5;           ///< The least number of calls after the one that warms up.
  std::size_t check = 8;    ///< rows of a result
};

/// Medians of all calls.
struct measurement {
  std::size_t num_vertices;
  std::size_t calls;
  double seconds;
  double rate;   ///< relaxations per second
  double limit;  ///< The same on registers alone, of the same moments.
  double share;  ///< rate / limit, of each call; 0 without a limit
};

/// Whole calls of floyd_warshall into a matrix of the host's that exists already.
/// @throws std::runtime_error if a result is wrong or another policy ran.
/// @throws apsp::device_error if the goal is for a device and there is none.
measurement measure_whole_calls(const goal& g, const how_to_measure& how);

}  // namespace goals
