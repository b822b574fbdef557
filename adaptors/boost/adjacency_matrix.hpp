// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <boost/graph/adjacency_matrix.hpp>
#include <cstddef>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class D, class VP, class EP, class GP, class A>
using adjacency_matrix = adjacency_matrix<D, VP, EP, GP, A>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

// The iterators of an adjacency matrix are slower than inspecting every entry.
template <class D, class VP, class EP, class GP, class A>
struct model<names::adjacency_matrix<D, VP, EP, GP, A>>
    : stored_properties<names::adjacency_matrix<D, VP, EP, GP, A>, EP> {
  using graph_type = names::adjacency_matrix<D, VP, EP, GP, A>;
  // Only one triangle of an undirected matrix is stored, so the rest of a row is not contiguous.
  static constexpr bool reads_by_vertex = !is_undirected<graph_type>;
  static constexpr bool hides_vertices = false;

  template <class F>
  static void for_each_out_arc(const graph_type& g, std::size_t u, F f) {
    using functions::edge;
    const std::size_t n = reads_by_vertex ? vertex_count(g) : u + 1;
    // First collecting the edges of a stretch avoids a branch that depends on the graph; in a
    // random graph, half of those branches would be mispredicted.
    constexpr std::size_t stretch = 64;
    std::size_t targets[stretch];
    for (std::size_t first = 0; first < n; first += stretch) {
      const std::size_t last = std::min(n, first + stretch);
      std::size_t count = 0;
      for (std::size_t v = first; v < last; ++v) {
        targets[count] = v;
        count += edge(u, v, g).second ? 1 : 0;
      }
      for (std::size_t k = 0; k < count; ++k) f(targets[k], edge(u, targets[k], g).first);
    }
  }
  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    for (std::size_t u = 0; u < vertex_count(g); ++u) {
      for_each_out_arc(g, u, [&](std::size_t v, const auto& e) {
        f(u, v, e);
        if constexpr (!reads_by_vertex) f(v, u, e);
      });
    }
  }
};

}  // namespace detail::bgl

template <class D, class VP, class EP, class GP, class A>
struct graph_adaptor<detail::bgl::names::adjacency_matrix<D, VP, EP, GP, A>>
    : detail::bgl::own_adaptor<detail::bgl::names::adjacency_matrix<D, VP, EP, GP, A>> {};

}  // namespace apsp::inline v1
