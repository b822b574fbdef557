// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <vector>

#include "device_limit.hpp"

namespace device_limit {

double of_type(const std::vector<limit>& limits, const std::string& type, bool in_pairs) {
  const bool is_integer = type == "i32" || type == "i64";
  const std::string name = type == "f32" ? "f32 >= 0" : is_integer && in_pairs ? "u16 pairs" : type;
  for (const limit& l : limits) {
    if (name == l.name) return l.relaxations_per_second;
  }
  return 0;
}

}  // namespace device_limit
