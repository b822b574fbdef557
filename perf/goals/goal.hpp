// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// What calls of floyd_warshall are to reach.
namespace goals {

/// The type that a device can relax fastest in depends on these, not on the type of the weights alone.
enum class weight_kind {
  nonnegative,    ///< of floating point
  some_negative,  ///< of floating point, without a negative cycle
  of_16_bits,     ///< integers >= 0; distances fit in 16 bits
  of_32_bits      ///< integers >= 0; distances fit neither in 16 bits nor exactly in float
};

/// The kind as the table says it.
std::string_view to_string(weight_kind kind);

struct goal {
  std::string name;
  std::string policy;
  std::string type;  ///< of the weights, one of weight_types.hpp's names
  weight_kind weights;
  std::size_t num_vertices;
  double rate = 0;   ///< relaxations per second to reach, or 0
  double share = 0;  ///< share of the limit to reach, or 0
  /// What a call with data of the host's may take in times of one with data of the device's, or 0.
  double with_transfers = 0;

  bool is_for_device() const { return policy.starts_with("cuda"); }
};

/// In the order of the table.
const std::vector<goal>& all_goals();

}  // namespace goals
