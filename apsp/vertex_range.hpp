// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "graph.hpp"
#include "matrix_traits.hpp"

namespace apsp::inline v1 {

namespace detail {

/// True if the graph's adaptor numbers vertices of type @p Vertex.
template <class Adaptor, class Graph, class Vertex>
concept numbers_vertices =
    requires(const Graph& g, const Vertex& v) { Adaptor::vertex_numbers(g)(v); };

template <class R>
inline constexpr bool is_iterator_pair = false;
template <class I>
  requires requires(I i) {
    typename std::iterator_traits<I>::value_type;
    *++i;
  }
inline constexpr bool is_iterator_pair<std::pair<I, I>> = true;
template <class R>
concept iterator_pair = is_iterator_pair<std::remove_cvref_t<R>>;

template <class R>
struct vertices_of_range {
  using type = std::ranges::range_value_t<R>;
};
template <iterator_pair R>
struct vertices_of_range<R> {
  using type =
      typename std::iterator_traits<typename std::remove_cvref_t<R>::first_type>::value_type;
};

}  // namespace detail

/// A list of vertices of a graph of type @p G: any range of numbers or of the graph's own vertex
/// descriptors, or a pair of iterators, such as Boost's `vertices(g)`. An iterable matrix is not a
/// vertex range, unless its type is a vector.
template <class R, class G>
concept vertex_range = detail::iterator_pair<R> ||
                       (std::ranges::input_range<R> &&
                        (!readable_matrix<R> || detail::says_vector<R> ||
                         (!std::is_arithmetic_v<std::ranges::range_value_t<R>> &&
                          detail::numbers_vertices<graph_adaptor_t<G>, std::remove_cvref_t<G>,
                                                   std::ranges::range_value_t<R>>)));

/// A vertex of a graph of type @p G: its number, or the graph's own vertex descriptor, unless that
/// is a range itself.
template <class V, class G>
concept single_vertex =
    (std::integral<V> && !std::same_as<V, bool>) ||
    (!std::is_arithmetic_v<V> && !std::ranges::range<V> && !detail::iterator_pair<V> &&
     !operand_matrix<V> && detail::numbers_vertices<graph_adaptor_t<G>, std::remove_cvref_t<G>, V>);

}  // namespace apsp::inline v1
