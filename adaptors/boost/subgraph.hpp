// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/subgraph.hpp>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class G>
using subgraph = subgraph<G>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

// Arcs and vertices are local; properties are those of the root.
template <class G>
struct model<names::subgraph<G>> {
  using graph_type = names::subgraph<G>;
  using inner = model<G>;
  using edge_property = typename inner::edge_property;
  static constexpr bool reads_by_vertex = false;
  static constexpr bool hides_vertices = inner::hides_vertices;

  static const auto& base(const graph_type& g) { return g.m_graph; }
  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    inner::for_each_arc(g.m_graph, f);
  }
  static decltype(auto) own_weight(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::own_weight(g.root().m_graph, g.local_to_global(e));
  }
  static decltype(auto) bundle(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::bundle(g.root().m_graph, g.local_to_global(e));
  }
};

}  // namespace detail::bgl

template <graph G>
struct graph_adaptor<detail::bgl::names::subgraph<G>>
    : detail::bgl::own_adaptor<detail::bgl::names::subgraph<G>> {};

}  // namespace apsp::inline v1
