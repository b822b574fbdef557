// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>

#include "../common/generators.hpp"

// Boost.Graph's algorithms for all pairs on the graphs of the measurements. They return their
// seconds, without the construction of Boost's graph.
namespace boost_solvers {

/// floyd_warshall_all_pairs_shortest_paths on a boost::adjacency_list. The result is negative if
/// the graph has a negative cycle.
template <class W>
double floyd_warshall(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances);

/// johnson_all_pairs_shortest_paths on a boost::adjacency_list.
template <class W>
double johnson(const apsp_perf::csr_arrays<W>& g, apsp::matrix<W>& distances);

}  // namespace boost_solvers
