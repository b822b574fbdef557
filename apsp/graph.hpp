// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "config.hpp"

namespace apsp::inline v1 {

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
///  - `static auto arrays(const G&)`: a range of `std::span<const std::byte>`, the arrays that a
///    sparse graph reads, used to detect a result that overlaps them;
///  - `static auto vertex_numbers(const G&)`: a function from a vertex descriptor of the graph to
///    its number, so that a list of sources can contain descriptors. A result that is not below n
///    means that there is no such vertex;
///  - `static constexpr bool vertices_are_ids = true`: the descriptors are integers of any value,
///    such as those of OpenStreetMap, so that integers in lists of sources and targets are
///    descriptors and no numbers, and `vertex_numbers` alone decides about them. Without it,
///    integers are numbers, and `vertex_numbers` is called with those below n only;
///  - `static auto vertices_by_number(const G&)`: the inverse of `vertex_numbers`, a range whose
///    element i is the descriptor of vertex i;
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
  template <class... Arc>
  void operator()(Arc&&...) const {}
};
using any_out_edge_visitor = any_edge_visitor;

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

/// True if integers in lists of vertices are ids, and no numbers.
template <class Adaptor>
inline constexpr bool has_vertex_ids = false;
template <class Adaptor>
  requires requires { Adaptor::vertices_are_ids; }
inline constexpr bool has_vertex_ids<Adaptor> = Adaptor::vertices_are_ids;

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

namespace detail {

// The sizes are tested first, as above.
template <class G>
concept is_range_of_ranges = requires(const std::remove_cvref_t<G>& g) {
  { std::size(g) } -> std::convertible_to<std::size_t>;
  { std::size(g[std::size_t{}]) } -> std::convertible_to<std::size_t>;
};
template <class G>
concept is_range = requires(const std::remove_cvref_t<G>& g) {
  { std::size(g) } -> std::convertible_to<std::size_t>;
  std::begin(g);
};

/// Explains by static_assert why @p G is not a graph.
template <class G>
constexpr void explain_graph() {
  using adaptor = graph_adaptor_t<G>;
  constexpr bool is_adapted = requires { sizeof(adaptor); };
  if constexpr (is_adapted) {
    static_assert(
        requires { typename adaptor::weight_type; },
        "apsp: the graph_adaptor of this graph has no weight_type: the type of a weight, or void "
        "for a graph without weights");
    static_assert(
        requires(const std::remove_cvref_t<G>& g) {
          { adaptor::num_vertices(g) } -> std::convertible_to<std::size_t>;
        },
        "apsp: the graph_adaptor of this graph has no static function num_vertices that takes a "
        "const reference to the graph and returns an integer");
  } else if constexpr (has_graphs_as_elements<const std::remove_cvref_t<G>>) {
    static_assert(is_adapted,
                  "apsp: the argument for the graph is a range of graphs; a call for many graphs "
                  "needs <apsp/floyd_warshall_batch.hpp> or "
                  "<apsp/breadth_first_search_batch.hpp>, and a range of as many writable "
                  "matrices");
  } else if constexpr (is_range_of_ranges<G>) {
    static_assert(
        is_adapted,
        "apsp: the argument for the graph is a range of ranges whose elements are not weights; "
        "if they are arcs, pass apsp::adjacency_lists_view(lists, &Edge::target, &Edge::weight)");
  } else if constexpr (is_range<G>) {
    static_assert(
        is_adapted,
        "apsp: the argument for the graph is a range; if its elements are arcs, pass "
        "apsp::edges(num_vertices, range) for tuples, or apsp::edges(num_vertices, range, "
        "&Edge::source, &Edge::target, &Edge::weight)");
  } else {
    static_assert(is_adapted,
                  "apsp: the argument for the graph is not a graph; Boost's graphs need "
                  "<apsp/boost_graph.hpp>, vectors of (target, weight) pairs "
                  "<apsp/adjacency_lists.hpp>, other types an apsp::graph_adaptor");
  }
}

}  // namespace detail

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

/// A function from the vertex descriptors of a graph to their numbers in matrices, predecessors,
/// paths and negative cycles: `numbers_by_vertex(g)(v)` is the number of v.
///
/// @param g  a graph with vertex descriptors: of Boost.Graph, or with `vertex_numbers` in its
///           adaptor; also a weighted or reversed view of it.
/// @return the function, which may refer to g, and is valid until vertices are added or removed.
///         For a descriptor of no vertex it returns a number that is not below n, or is undefined,
///         as those of `listS` are in Boost.
/// Complexity: for a graph of Boost without numbers of its own, as with `listS`, O(n); keep the
/// function.
template <graph G>
auto numbers_by_vertex(const G& g) {
  static_assert(
      requires { graph_adaptor<G>::vertex_numbers(g); },
      "apsp::numbers_by_vertex: the vertices of this graph are their numbers; its graph_adaptor "
      "has no vertex_numbers");
  return graph_adaptor<G>::vertex_numbers(g);
}

/// The vertex descriptors of a graph in the order of their numbers in matrices, predecessors, paths
/// and negative cycles: `vertices_by_number(g)[i]` is the descriptor of vertex i.
///
/// @param g  as for `numbers_by_vertex`, with `vertices_by_number` in its adaptor.
/// @return what the adaptor returns. For Boost.Graph a random-access range of n descriptors with
///         size(); a `std::vector`, unless the descriptors are the numbers themselves, as those of
///         `vecS` are. It does not refer to g, and is valid until vertices are added or removed.
///         The hidden vertices of a filtered graph are included; numbers that an index map gives to
///         no vertex hold the null vertex.
/// @throws std::invalid_argument if the vertex indices of a graph of Boost are not distinct numbers
///         below n.
/// Complexity: for Boost.Graph O(1) if descriptors are numbers, otherwise O(n).
template <graph G>
decltype(auto) vertices_by_number(const G& g) {
  static_assert(
      requires { graph_adaptor<G>::vertices_by_number(g); },
      "apsp::vertices_by_number: the vertices of this graph are their numbers; its graph_adaptor "
      "has no vertices_by_number");
  return graph_adaptor<G>::vertices_by_number(g);
}

/// The edge type of graphs without one of their own; the argument of a function passed to
/// `weighted`.
struct edge {
  std::size_t source;
  std::size_t target;
  std::size_t index;  ///< Position among the graph's edges.
};

}  // namespace apsp::inline v1
