// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../checks.hpp"
#include "../generators.hpp"
#include "report.hpp"

// The parts of the study of single sources that need a device. Without CUDA they do nothing.
namespace studies {

struct one_source_problem {
  const apsp_perf::csr_arrays<std::int32_t>& graph;
  const known_rows& known;
  std::size_t source;
  line about;  ///< the graph and its size
};

/// Part "edges per thread", x = k: a thread takes k consecutive edges, or edges a grid's width apart,
/// in all rounds of a search and in a round that changes nothing.
void add_edge_orders(const one_source_problem& p, const settings& s, report& out);

/// Part "transfers", x = n: copying the graph to the device from pageable and from pinned memory, the
/// search, and copying the row back. Part "streams", x = n: copy and search together, in one stream or with
/// the arcs in pieces on several streams, whose first round begins with the pieces that have arrived. The
/// time to copy the graph into pinned memory is not included.
void add_copies(const one_source_problem& p, const settings& s, report& out);

}  // namespace studies
