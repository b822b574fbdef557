// SPDX-License-Identifier: BSL-1.0
#include <string>

#include "device_limit.hpp"

namespace device_limit {

std::string name_of(const solved& call) {
  if (!call.policy.starts_with("cuda")) return {};
  if (call.has_negative_weights) return call.type;
  if (call.type == "f32") return "f32_nonnegative";
  const bool is_integer = call.type == "i32" || call.type == "i64";
  const bool may_change = call.policy == "cuda_tiled" && !call.has_predecessors;
  // The size from which on integers may be solved in another type: docs/floyd_warshall.md.
  constexpr std::size_t many = 2560;
  if (!is_integer || !may_change || call.num_vertices < many) return call.type;
  if (call.farthest < 0x7fff) return "u16_pairs";
  if (call.farthest <= 0x1p24) return "f32_nonnegative";
  if (call.type == "i64" && call.farthest < 0x1p30) return "i32";
  if (call.type == "i64" && call.farthest <= 0x1p53) return "f64";
  return call.type;
}

}  // namespace device_limit
