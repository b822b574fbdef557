// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <string_view>
#include <vector>

#include "device_limit.hpp"

namespace device_limit {

std::vector<limit> measure() {
  return {};
}

double measure(std::string_view) {
  return 0;
}

std::string device_name() {
  return {};
}

}  // namespace device_limit
