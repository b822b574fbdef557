// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <ranges>

#include "graph.hpp"
#include "matrix_traits.hpp"

namespace apsp {

namespace detail {

/// True if the adaptor of a graph gives numbers to vertices of that type.
template <class Adaptor, class Graph, class Vertex>
concept numbers_vertices =
    requires(const Graph& g, const Vertex& v) { Adaptor::vertex_numbers(g)(v); };

}  // namespace detail

/// A list of vertices of a graph of type @p G: any range, of numbers or of what the graph itself calls a
/// vertex. A matrix whose entries can be iterated over is none, unless its type says that it is a vector.
template <class R, class G>
concept vertex_range = std::ranges::input_range<R> &&
                       (!readable_matrix<R> || detail::says_vector<R> ||
                        (!std::integral<std::ranges::range_value_t<R>> &&
                         detail::numbers_vertices<graph_adaptor_t<G>, std::remove_cvref_t<G>,
                                                  std::ranges::range_value_t<R>>));

}  // namespace apsp
