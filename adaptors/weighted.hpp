// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "../apsp/graph.hpp"

namespace apsp {

namespace detail {

// A graph inside a wrapper: by reference if the caller owns it, by value if it was a temporary.
template <class G>
using kept_graph_t = std::conditional_t<std::is_lvalue_reference_v<G>,
                                        const std::remove_cvref_t<G>&, std::remove_cvref_t<G>>;

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

/// The return type of `weighted`.
template <class G, class W>
class weighted_graph {
 public:
  template <class Graph>
  weighted_graph(Graph&& g, W w) : graph_(std::forward<Graph>(g)), weight_(std::move(w)) {}
  const std::remove_cvref_t<G>& graph() const noexcept { return graph_; }
  const W& weight() const noexcept { return weight_; }

 private:
  G graph_;
  W weight_;
};

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
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires requires { inner::for_each_out_edge(g.graph(), g.weight(), u, f); }
  {
    inner::for_each_out_edge(g.graph(), g.weight(), u, f);
  }
};

/// @p g with the weights that @p w gives to its edges.
///
/// @param g  any graph with edge handles; kept by reference, unless it is a temporary.
/// @param w  a function of an edge, or another kind of weight that the graph supports: for
///           Boost.Graph a pointer to a data member or a const member function of the bundled edge
///           property, or a property map. A call evaluates it several times for every weight, first to check all weights; it must
///           return the same value each time.
template <graph_with_arcs G, class W>
auto weighted(G&& g, W w) {
  return weighted_graph<detail::kept_graph_t<G>, W>(std::forward<G>(g), std::move(w));
}

namespace detail {

/// What `weighted` returns if it has explained an error, so that there is no second message.
struct no_graph {};

/// Explains by static_assert why `weighted` does not accept a graph.
template <class G>
constexpr no_graph explain_weighted() {
  explain_graph<G>();
  static_assert(
      !graph<G>,
      "apsp::weighted, apsp::unweighted: the graph_adaptor of this graph has no edge_type and "
      "for_each_arc, which give weights to its arcs");
  return {};
}

}  // namespace detail

template <>
struct graph_adaptor<detail::no_graph> {
  using weight_type = int;
  static std::size_t num_vertices(const detail::no_graph&) { return 0; }
  template <class F>
  static void for_each_edge(const detail::no_graph&, F) {}
};

// Reports at compile time, in one sentence, why the argument is not accepted above.
template <class G, class W>
  requires(!graph_with_arcs<G>)
auto weighted(G&&, W) {
  return detail::explain_weighted<G>();
}

/// The weight of every edge of an unweighted graph: 1.
struct unit_weight {
  template <class Edge>
  constexpr int operator()(const Edge&) const {
    return 1;
  }
};

/// @p g with every edge of weight 1, so that distances count edges.
template <graph_with_arcs G>
auto unweighted(G&& g) {
  return weighted(std::forward<G>(g), unit_weight{});
}
template <class G>
  requires(!graph_with_arcs<G>)
auto unweighted(G&&) {
  return detail::explain_weighted<G>();
}

/// The return type of `reversed`.
template <class G>
class reversed_graph {
 public:
  template <class Graph>
    requires(!std::same_as<std::remove_cvref_t<Graph>, reversed_graph>)
  explicit reversed_graph(Graph&& g) : graph_(std::forward<Graph>(g)) {}
  const std::remove_cvref_t<G>& graph() const noexcept { return graph_; }

 private:
  G graph_;
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

/// @p g with every arc reversed; its distances are the transpose of those of @p g.
template <graph G>
auto reversed(G&& g) {
  return reversed_graph<detail::kept_graph_t<G>>(std::forward<G>(g));
}

}  // namespace apsp
