// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/graph/reverse_graph.hpp>
#include <type_traits>

#include "../../apsp/graph.hpp"
#include "graph.hpp"
#include "names.hpp"

namespace boost::graph::apsp_names {
template <class G, class Ref>
using reverse_graph = reverse_graph<G, Ref>;
}  // namespace boost::graph::apsp_names

namespace apsp::inline v1 {

namespace detail::bgl {

template <class G, class Ref>
struct model<names::reverse_graph<G, Ref>> {
  using graph_type = names::reverse_graph<G, Ref>;
  using inner = model<std::remove_const_t<G>>;
  using edge_property = typename inner::edge_property;
  static constexpr bool reads_by_vertex = false;
  static constexpr bool hides_vertices = inner::hides_vertices;

  static const auto& base(const graph_type& g) { return g.m_g; }
  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    inner::for_each_arc(g.m_g, [&](const auto& u, const auto& v, const auto& e) {
      f(v, u, edge_of<graph_type>(e));
    });
  }
  static decltype(auto) own_weight(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::own_weight(g.m_g, e.underlying_descx);
  }
  static decltype(auto) bundle(const graph_type& g, const edge_of<graph_type>& e) {
    return inner::bundle(g.m_g, e.underlying_descx);
  }
};

}  // namespace detail::bgl

template <graph G, class Ref>
struct graph_adaptor<detail::bgl::names::reverse_graph<G, Ref>>
    : detail::bgl::own_adaptor<detail::bgl::names::reverse_graph<G, Ref>> {};

}  // namespace apsp::inline v1
