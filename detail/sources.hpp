// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/graph.hpp"
#include "../apsp/matrix_traits.hpp"

// The vertices that per-source algorithms start from.
namespace apsp::detail {

/// Stands for all vertices of the graph, in their order.
struct every_vertex {};

/// The number that the graph gives to @p vertex: a descriptor of its own kind, or a number already.
template <class Graph, class Vertex>
std::size_t source_number(const Graph& g, const Vertex& vertex) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::vertex_numbers(g)(vertex); }) {
    static_cast<void>(g);
    return adaptor::vertex_numbers(g)(vertex);
  } else {
    static_assert(std::integral<Vertex>,
                  "apsp: the sources are neither numbers nor vertices of this graph");
    return static_cast<std::size_t>(vertex);
  }
}

/// @throws std::invalid_argument if a source is no vertex of the graph, which has n.
template <class Graph, class Sources>
std::vector<std::int32_t> list_sources([[maybe_unused]] const Graph& g, std::size_t n,
                                       Sources& sources) {
  std::vector<std::int32_t> list;
  if constexpr (std::is_same_v<std::remove_const_t<Sources>, every_vertex>) {
    list.resize(n);
    std::iota(list.begin(), list.end(), 0);
  } else {
    for (const auto& vertex : sources) {
      const std::size_t s = source_number(g, vertex);
      if (s >= n) {
        throw std::invalid_argument(
            "apsp: source " + std::to_string(static_cast<std::ptrdiff_t>(s)) + " is none of the " +
            std::to_string(n) + " vertices of the graph");
      }
      list.push_back(static_cast<std::int32_t>(s));
    }
  }
  return list;
}

}  // namespace apsp::detail
