// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <cstddef>

#include "../generators.hpp"

namespace apsp_compare {

/// Runs Boost.Graph's floyd_warshall_all_pairs_shortest_paths on the same graph as a boost::adjacency_list,
/// with a result of the same matrix type. The construction of the graph is not part of the time.
/// @return seconds of the call, or a negative number if the graph has a negative cycle.
template <class W>
double solve_with_boost(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances);

}  // namespace apsp_compare
