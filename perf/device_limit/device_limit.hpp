// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The most relaxations that the current device can do in a second: loops on registers, without a load,
/// with the instructions that suit a type best.
namespace device_limit {

/// One for every way to relax; none in a program without CUDA, or without a device.
///
/// "f32": a sum and a minimum; "f32_nonnegative": two sums and a minimum of three, taken as integers;
/// "i32": a sum and a minimum in one, or two sums and a minimum of three; "u16_pairs": the same on two
/// halves; "f64" and "i64": a sum, a comparison and a selection.
std::vector<std::string> names();
/// The relaxations per second of the one called @p name; 0 if there is none.
double measure(std::string_view name);

/// Of the current device; 0 in a program without CUDA, or without a device.
int num_multiprocessors();
/// The current device's own name; empty in a program without CUDA, or without a device.
std::string device_name();

/// What is known of a solve.
struct solved {
  std::string type;  ///< of the weights, one of weight_types.hpp's names
  std::string policy;
  std::size_t num_vertices = 0;
  bool has_predecessors = false;
  double farthest = 0;  ///< The greatest finite distance.
  bool has_negative_weights = false;
};

/// The name of the limit that bounds it, in the fastest type that holds all distances where the policy may
/// change the type; empty under a policy of the host.
std::string name_of(const solved& call);

}  // namespace device_limit
