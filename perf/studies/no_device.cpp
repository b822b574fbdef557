// SPDX-License-Identifier: BSL-1.0
#include "one_source.hpp"
#include "time_line.hpp"

namespace studies {

void add_edge_orders(const one_source_problem&, const settings&, report&) {}
void add_copies(const one_source_problem&, const settings&, report&) {}
void add_time_line(const apsp_perf::csr_arrays<std::int32_t>&, report&) {}

}  // namespace studies
