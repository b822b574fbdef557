// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "graph.hpp"

namespace apsp::inline v1 {

namespace detail {

// A graph inside a wrapper: by reference if the caller owns it, by value if it was a temporary.
template <class G>
using kept_graph_t = std::conditional_t<std::is_lvalue_reference_v<G>,
                                        const std::remove_cvref_t<G>&, std::remove_cvref_t<G>>;

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

/// @p g with the weights that @p w gives to its edges.
///
/// @param g  any graph with edge handles; kept by reference, unless it is a temporary.
/// @param w  a function of an edge, or another kind of weight that the graph supports: for
///           Boost.Graph a pointer to a data member or a const member function of the bundled edge
///           property, or a property map. A call evaluates it several times for every weight, first
///           to check all weights; it must return the same value each time.
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

/// @p g with every arc reversed; its distances are the transpose of those of @p g.
template <graph G>
auto reversed(G&& g) {
  return reversed_graph<detail::kept_graph_t<G>>(std::forward<G>(g));
}

}  // namespace apsp::inline v1

// How these graphs are read.
#include "../adaptors/weighted.hpp"
