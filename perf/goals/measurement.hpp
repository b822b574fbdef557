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
  double seconds;        ///< of a call into a matrix of the host's that exists already
  double seconds_alone;  ///< of one with graph and result in device memory; 0 on the host
  double rate;           ///< relaxations per second, of the call alone where there is one
  double limit;          ///< The same on registers alone, of the same moments.
  double share;          ///< rate / limit, of each call; 0 without a limit
};

/// Calls of floyd_warshall with data of the host's, and for a device with data of its own in turn.
/// @throws std::runtime_error if a result is wrong or another policy ran.
/// @throws apsp::device_error if the goal is for a device and there is none.
measurement measure_calls(const goal& g, const how_to_measure& how);

}  // namespace goals
