// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/filtered_graph.hpp>
#include <type_traits>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class G, class EdgePredicate, class VertexPredicate>
using filtered_graph = filtered_graph<G, EdgePredicate, VertexPredicate>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

template <class G, class EdgePredicate, class VertexPredicate>
struct model<names::filtered_graph<G, EdgePredicate, VertexPredicate>> {
  using graph_type = names::filtered_graph<G, EdgePredicate, VertexPredicate>;
  using inner = model<std::remove_const_t<G>>;
  using edge_property = typename inner::edge_property;
  static constexpr bool reads_by_vertex = false;  // the predicates may not be thread-safe
  static constexpr bool hides_vertices = true;

  static const auto& base(const graph_type& g) { return g.m_g; }
  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    inner::for_each_arc(g.m_g, [&](const auto& u, const auto& v, const auto& e) {
      if (g.m_edge_pred(e) && g.m_vertex_pred(u) && g.m_vertex_pred(v)) f(u, v, e);
    });
  }
  static decltype(auto) own_weight(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::own_weight(g.m_g, e);
  }
  static decltype(auto) bundle(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::bundle(g.m_g, e);
  }
};

}  // namespace detail::bgl

template <graph G, class EP, class VP>
struct graph_adaptor<detail::bgl::names::filtered_graph<G, EP, VP>>
    : detail::bgl::own_adaptor<detail::bgl::names::filtered_graph<G, EP, VP>> {};

}  // namespace apsp::inline v1
