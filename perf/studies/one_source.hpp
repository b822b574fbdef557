// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../checks.hpp"
#include "../generators.hpp"
#include "report.hpp"

// The parts of the study of single sources that are written for a device. Without CUDA they add
// nothing.
namespace studies {

struct one_source_problem {
  const apsp_perf::csr_arrays<std::int32_t>& graph;
  const known_rows& known;
  std::size_t source;
  line about;  ///< The graph and its size.
};

/// Part "edges per thread", x = k: a thread takes k consecutive edges, or edges a grid's width apart,
/// in all rounds of a search and in a round that finds nothing to change.
void add_edge_orders(const one_source_problem& p, const settings& s, report& out);

/// Part "transfers", x = n: the graph to the device from pageable and from pinned memory, the search
/// there, the row back. Part "streams", x = n: graph and search together, in one stream or with the
/// arcs in pieces on several, whose first round begins with the pieces that have arrived. To get the
/// graph into pinned memory is not part of the time.
void add_copies(const one_source_problem& p, const settings& s, report& out);

}  // namespace studies
