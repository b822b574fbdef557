// SPDX-License-Identifier: BSL-1.0
// What a build without CUDA has in the place of device_limit.cu.
#include "device_limit.hpp"

namespace device_limit {

std::vector<std::string> names() {
  return {};
}
double measure(std::string_view) {
  return 0;
}
int num_multiprocessors() {
  return 0;
}
std::string device_name() {
  return {};
}

}  // namespace device_limit
