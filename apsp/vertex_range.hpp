// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <ranges>

#include "graph.hpp"
#include "matrix_traits.hpp"

namespace apsp {

namespace detail {

/// True if the graph's adaptor numbers vertices of type @p Vertex.
template <class Adaptor, class Graph, class Vertex>
concept numbers_vertices =
    requires(const Graph& g, const Vertex& v) { Adaptor::vertex_numbers(g)(v); };

}  // namespace detail

/// A list of vertices of a graph of type @p G: any range of numbers or of the graph's own vertex
/// descriptors. An iterable matrix is not a vertex range, unless its type is a vector.
template <class R, class G>
concept vertex_range = std::ranges::input_range<R> &&
                       (!readable_matrix<R> || detail::says_vector<R> ||
                        (!std::integral<std::ranges::range_value_t<R>> &&
                         detail::numbers_vertices<graph_adaptor_t<G>, std::remove_cvref_t<G>,
                                                  std::ranges::range_value_t<R>>));

}  // namespace apsp
