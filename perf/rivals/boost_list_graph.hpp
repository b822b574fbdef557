// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>

#include "../common/generators.hpp"

namespace boost_solvers {

/// The graph of the algorithms for all pairs.
template <class W>
using list_graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_weight_t, W>>;

template <class W>
list_graph<W> make_list(const apsp_perf::csr_arrays<W>& g) {
  list_graph<W> b(g.num_vertices());
  apsp_perf::for_each_arc(g,
                          [&](std::size_t u, std::size_t v, W w) { boost::add_edge(u, v, w, b); });
  return b;
}

}  // namespace boost_solvers
