// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "config.hpp"

namespace apsp {

/// How the library reads a graph of type @p G; the only customisation point. A specialisation has
/// the members
///
///  - `using weight_type`: the type of a weight, or `void` for a graph without weights;
///  - `static std::size_t num_vertices(const G&)`: vertices are numbered from 0;
///  - `static void for_each_edge(const G&, F f)`: calls `f(u, v, w)` for every arc from u to v of
///    weight w, in any order that is the same for every call; an undirected edge is two arcs.
///
/// and, optionally,
///
///  - `using edge_type` and `static void for_each_arc(const G&, F f)`: calls `f(u, v, e)` with a
///    handle e of the edge; `weighted` requires it to assign weights;
///  - `static auto weight_of(const G&, const W& w, e)`: the weight that the caller's w gives to
///    edge e, if that is not `w(e)`;
///  - `static void for_each_out_edge(const G&, std::size_t u, F f)`: calls `f(v, w)` for the arcs
///    that leave u; several threads then read the graph concurrently;
///  - `static void for_each_out_edge(const G&, const W& w, std::size_t u, F f)`: the same with the
///    weights that w gives, for a w that several threads may call concurrently;
///  - `static const void* dense_entries(const G&)`: the address of the first entry of a dense
///    graph, used to detect a graph and a result in the same memory;
///  - `static const M& dense_matrix(const G&)`: the matrix that a dense graph reads, used to detect
///    a result that overlaps only part of its memory;
///  - `static auto arrays(const G&)`: a range of `std::span<const std::byte>`, the arrays that a sparse
///    graph reads, used to detect a result that overlaps them;
///  - `static auto vertex_numbers(const G&)`: a function from a vertex descriptor of the graph to
///    its number, so that a list of sources can contain descriptors;
///  - `static void validate(const G&)`: throws `std::invalid_argument` if the graph cannot be
///    traversed safely.
///
/// u and v are converted to `std::size_t`; the algorithms check that they are vertices.
template <class G>
struct graph_adaptor;

template <class G>
using graph_adaptor_t = graph_adaptor<std::remove_cvref_t<G>>;

namespace detail {

// Placeholders for a visitor function. They are named types because nvcc rejects a lambda in a
// requires-expression.
struct any_edge_visitor {
  template <class U, class V, class E>
  void operator()(U&&, V&&, E&&) const {}
};
struct any_out_edge_visitor {
  template <class V, class W>
  void operator()(V&&, W&&) const {}
};

}  // namespace detail

/// A type with a `graph_adaptor`, with or without weights.
template <class G>
concept graph = requires(const std::remove_cvref_t<G>& g) {
  typename graph_adaptor_t<G>::weight_type;
  { graph_adaptor_t<G>::num_vertices(g) } -> std::convertible_to<std::size_t>;
};

/// A graph whose arcs have weights, either its own or those given by `weighted`.
template <class G>
concept graph_with_weights =
    graph<G> && !std::is_void_v<typename graph_adaptor_t<G>::weight_type> &&
    requires(const std::remove_cvref_t<G>& g) {
      graph_adaptor_t<G>::for_each_edge(g, detail::any_edge_visitor{});
    };

/// A graph to whose arcs `weighted` can give weights.
template <class G>
concept graph_with_arcs = graph<G> && requires(const std::remove_cvref_t<G>& g) {
  typename graph_adaptor_t<G>::edge_type;
  graph_adaptor_t<G>::for_each_arc(g, detail::any_edge_visitor{});
};

/// A graph whose arcs can be read vertex by vertex.
template <class G>
concept graph_with_out_edges = graph_with_weights<G> && requires(const std::remove_cvref_t<G>& g) {
  graph_adaptor_t<G>::for_each_out_edge(g, std::size_t{}, detail::any_out_edge_visitor{});
};

namespace detail {

template <class X>
inline constexpr bool is_target_and_weight = false;
template <std::integral Target, class Weight>
inline constexpr bool is_target_and_weight<std::pair<Target, Weight>> = true;
template <std::integral Target, class Weight>
inline constexpr bool is_target_and_weight<std::tuple<Target, Weight>> = true;
// An arc in a list of the arcs that leave a vertex; see adjacency_lists.hpp.
template <class X>
concept target_and_weight = is_target_and_weight<std::remove_cvref_t<X>>;

// Vectors of Eigen and Armadillo are matrices of one column or row. As elements of a range they are
// rows; as a list of sources they hold vertices.
template <class E>
concept says_vector = requires {
  requires static_cast<bool>(std::remove_cvref_t<E>::IsVectorAtCompileTime);
} || requires { requires std::remove_cvref_t<E>::is_col || std::remove_cvref_t<E>::is_row; };

// The size is tested first, as in matrix_traits.hpp.
template <class R>
concept has_graphs_as_elements = requires(R& r) {
  { std::size(r) } -> std::convertible_to<std::size_t>;
  requires graph<decltype(r[std::size_t{}])>;
  requires !says_vector<decltype(r[std::size_t{}])>;
};

}  // namespace detail

/// Several graphs of one type: `std::size(r)` graphs `r[i]`. A range of square matrices is a range
/// of graphs; a range of rows is a matrix.
template <class R>
concept range_of_graphs = detail::has_graphs_as_elements<const R> && !graph<R>;

/// The type of the weights of graph @p G.
template <graph G>
using weight_type_t = typename graph_adaptor_t<G>::weight_type;

namespace detail {
/// The distance type of a call: @p Distance, or the weight type of the graph if that is void.
template <class Distance, class Graph>
using distance_or_weight_t =
    typename std::conditional_t<std::is_void_v<Distance>, std::type_identity<weight_type_t<Graph>>,
                                std::type_identity<Distance>>::type;
}  // namespace detail

/// The number of vertices of any graph.
template <graph G>
std::size_t num_vertices_of(const G& g) {
  return static_cast<std::size_t>(graph_adaptor_t<G>::num_vertices(g));
}

/// The edge type of graphs without one of their own; the argument of a function passed to
/// `weighted`.
struct edge {
  std::size_t source;
  std::size_t target;
  std::size_t index;  ///< Position among the graph's edges.
};

}  // namespace apsp
