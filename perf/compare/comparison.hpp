// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../generators.hpp"
#include "options.hpp"
#include "outcome.hpp"

namespace apsp_compare {

/// Solves @p g with every requested policy, and by Boost.Graph, and checks that the results agree.
/// Ends early, with the closed walk, if the graph has a negative cycle.
template <class W>
outcome compare(const options& o, const apsp_perf::csr_arrays<W>& g);

}  // namespace apsp_compare
