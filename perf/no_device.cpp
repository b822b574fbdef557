// SPDX-License-Identifier: BSL-1.0
// What a build without CUDA has in the place of device_limit.cu and studies/device_parts.cu.
#include "device_limit.hpp"
#include "studies/device_parts.hpp"

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

namespace studies {

void add_edge_orders(const int_problem&, const line&, const settings&, report&) {}
void add_copies(const int_problem&, const line&, const settings&, report&) {}
void add_time_line(const int_problem&, const line&, const settings&, report&) {}

}  // namespace studies
