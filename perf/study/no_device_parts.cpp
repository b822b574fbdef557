// SPDX-License-Identifier: BSL-1.0
// What a build without CUDA has in the place of device_parts.cu.
#include "device_parts.hpp"

namespace studies {

void add_edge_orders(const int_problem&, const line&, const settings&, report&) {}
void add_copies(const int_problem&, const line&, const settings&, report&) {}
void add_time_line(const int_problem&, const line&, const settings&, report&) {}

}  // namespace studies
