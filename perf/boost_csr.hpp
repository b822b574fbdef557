// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "generators.hpp"

// Boost.Graph's own graph in compressed sparse rows: 8 bytes per arc, where an adjacency_list with
// weights takes 48.
namespace checks {

/// Its edge bundle is the weight.
template <class W>
using boost_csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, W,
                                                     boost::no_property, std::uint32_t>;

template <class W>
boost_csr<W> make_boost_csr(const apsp_perf::csr_arrays<W>& g) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  arcs.reserve(g.num_edges());
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      arcs.emplace_back(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(g.targets[k]));
    }
  }
  return boost_csr<W>(boost::edges_are_sorted, arcs.begin(), arcs.end(), g.weights.begin(),
                      static_cast<std::uint32_t>(g.num_vertices()));
}

}  // namespace checks
