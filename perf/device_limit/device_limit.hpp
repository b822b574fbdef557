// SPDX-License-Identifier: BSL-1.0
#pragma once

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

/// The limit that bounds weights of @p type, one of weight_types.hpp's names, where none is negative; 0
/// if there is none.
/// @param in_pairs  if every distance fits 16 bits.
double of_type(const std::vector<limit>& limits, const std::string& type, bool in_pairs);

}  // namespace device_limit
