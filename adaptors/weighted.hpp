// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "../apsp/weighted.hpp"

namespace apsp::inline v1 {

namespace detail {

// The common part of the adaptors of wrapped graphs, which traverse the underlying graph.
template <class Wrapper>
struct wrapper_adaptor {
  using inner_adaptor = graph_adaptor_t<decltype(std::declval<const Wrapper&>().graph())>;

  static std::size_t num_vertices(const Wrapper& g) {
    return static_cast<std::size_t>(inner_adaptor::num_vertices(g.graph()));
  }
  static void validate(const Wrapper& g) {
    if constexpr (requires { inner_adaptor::validate(g.graph()); }) {
      inner_adaptor::validate(g.graph());
    }
  }
  static const void* dense_entries(const Wrapper& g)
    requires requires(const Wrapper& w) { inner_adaptor::dense_entries(w.graph()); }
  {
    return inner_adaptor::dense_entries(g.graph());
  }
  static decltype(auto) dense_matrix(const Wrapper& g)
    requires requires(const Wrapper& w) { inner_adaptor::dense_matrix(w.graph()); }
  {
    return inner_adaptor::dense_matrix(g.graph());
  }
  static auto arrays(const Wrapper& g)
    requires requires(const Wrapper& w) { inner_adaptor::arrays(w.graph()); }
  {
    return inner_adaptor::arrays(g.graph());
  }
  static auto vertex_numbers(const Wrapper& g)
    requires requires(const Wrapper& w) { inner_adaptor::vertex_numbers(w.graph()); }
  {
    return inner_adaptor::vertex_numbers(g.graph());
  }
  static constexpr bool vertices_are_ids = has_vertex_ids<inner_adaptor>;
  static decltype(auto) vertices_by_number(const Wrapper& g)
    requires requires(const Wrapper& w) { inner_adaptor::vertices_by_number(w.graph()); }
  {
    return inner_adaptor::vertices_by_number(g.graph());
  }
};

template <class Adaptor, class G, class W, class Edge>
concept adaptor_with_weight_of =
    requires(const G& g, const W& w, const Edge& e) { Adaptor::weight_of(g, w, e); };

// The weight that w gives to edge e.
template <class G, class W>
decltype(auto) edge_weight(const G& g, const W& w,
                           const typename graph_adaptor_t<G>::edge_type& e) {
  using adaptor = graph_adaptor_t<G>;
  using edge_type = typename adaptor::edge_type;
  constexpr bool by_adaptor = adaptor_with_weight_of<adaptor, G, W, edge_type>;
  static_assert(by_adaptor || std::invocable<const W&, const edge_type&>,
                "apsp::weighted: the second argument is not a pointer to member, a property map "
                "or a function of an edge of this graph");
  if constexpr (by_adaptor) {
    return adaptor::weight_of(g, w, e);
  } else {
    return std::invoke(w, e);
  }
}

}  // namespace detail

template <class G, class W>
struct graph_adaptor<weighted_graph<G, W>> : detail::wrapper_adaptor<weighted_graph<G, W>> {
  using graph_type = weighted_graph<G, W>;
  using inner = graph_adaptor_t<G>;
  using edge_type = typename inner::edge_type;
  using weight_type = std::remove_cvref_t<decltype(detail::edge_weight(
      std::declval<const std::remove_cvref_t<G>&>(), std::declval<const W&>(),
      std::declval<const edge_type&>()))>;

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    inner::for_each_arc(g.graph(), f);
  }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    inner::for_each_arc(g.graph(), [&](auto u, auto v, const edge_type& e) {
      f(u, v, detail::edge_weight(g.graph(), g.weight(), e));
    });
  }
  template <class X>
    requires detail::adaptor_with_weight_of<inner, std::remove_cvref_t<G>, X, edge_type>
  static decltype(auto) weight_of(const graph_type& g, const X& x, const edge_type& e) {
    return inner::weight_of(g.graph(), x, e);
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires requires { inner::for_each_out_edge(g.graph(), g.weight(), u, f); }
  {
    inner::for_each_out_edge(g.graph(), g.weight(), u, f);
  }
};

template <>
struct graph_adaptor<detail::no_graph> {
  using weight_type = int;
  static std::size_t num_vertices(const detail::no_graph&) { return 0; }
  template <class F>
  static void for_each_edge(const detail::no_graph&, F) {}
};

namespace detail {

template <class G>
struct reversed_edges : wrapper_adaptor<reversed_graph<G>> {
  using weight_type = typename graph_adaptor_t<G>::weight_type;

  template <class F>
  static void for_each_edge(const reversed_graph<G>& g, F f)
    requires graph_with_weights<G>
  {
    graph_adaptor_t<G>::for_each_edge(g.graph(), [&](auto u, auto v, auto&& w) { f(v, u, w); });
  }
};

}  // namespace detail

template <class G>
struct graph_adaptor<reversed_graph<G>> : detail::reversed_edges<G> {};

template <graph_with_arcs G>
struct graph_adaptor<reversed_graph<G>> : detail::reversed_edges<G> {
  using inner = graph_adaptor_t<G>;
  using edge_type = typename inner::edge_type;

  template <class W>
    requires detail::adaptor_with_weight_of<inner, std::remove_cvref_t<G>, W, edge_type>
  static decltype(auto) weight_of(const reversed_graph<G>& g, const W& w, const edge_type& e) {
    return inner::weight_of(g.graph(), w, e);
  }
  template <class F>
  static void for_each_arc(const reversed_graph<G>& g, F f) {
    inner::for_each_arc(g.graph(), [&](auto u, auto v, const edge_type& e) { f(v, u, e); });
  }
};

}  // namespace apsp::inline v1
