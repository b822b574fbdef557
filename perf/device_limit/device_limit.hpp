// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The most relaxations that the current device can do in a second: loops on registers, without a load,
/// with the instructions that suit a type best.
namespace device_limit {

struct limit {
  const char* name;
  const char* instructions;
  double relaxations_per_second;
};

/// One for every way to relax; none in a program without CUDA, or without a device.
std::vector<limit> measure();

/// What is known of a solve.
struct solved {
  std::string type;  ///< of the weights, one of weight_types.hpp's names; none is negative
  std::string policy;
  std::size_t num_vertices = 0;
  bool has_predecessors = false;
  double farthest = 0;  ///< The greatest finite distance.
};

/// The limit that bounds it, in the fastest type that holds all distances where the policy may change the
/// type; 0 if there is none.
double of(const std::vector<limit>& limits, const solved& call);

}  // namespace device_limit
