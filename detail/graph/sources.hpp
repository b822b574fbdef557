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

#include "../../apsp/graph.hpp"
#include "../../apsp/vertex_range.hpp"

// The source vertices of the per-source algorithms.
namespace apsp::inline v1::detail {

/// Represents all vertices of the graph, in order.
struct every_vertex {};

/// @param name    what it is, in the message.
/// @param number  in decimal.
[[noreturn]] inline void throw_no_vertex(const char* name, const std::string& number,
                                         std::size_t n) {
  throw std::invalid_argument("apsp: " + std::string(name) + " " + number +
                              " is out of range: the graph has " + std::to_string(n) + " vertices");
}
[[noreturn]] inline void throw_no_id(const char* name, const std::string& id) {
  throw std::invalid_argument("apsp: " + std::string(name) + " " + id +
                              " is not the id of a vertex of the graph");
}

/// The numbers of @p vertices, which are vertices of the graph's own type or already numbers.
/// @param name  what each of them is, in messages.
/// @throws std::invalid_argument if one of them is not a vertex of the graph, which has n vertices.
template <class Graph, class Sources>
std::vector<std::int32_t> list_sources([[maybe_unused]] const Graph& g, std::size_t n,
                                       Sources& sources,
                                       [[maybe_unused]] const char* name = "source") {
  using adaptor = graph_adaptor_t<Graph>;
  std::vector<std::int32_t> list;
  if constexpr (std::is_same_v<std::remove_const_t<Sources>, every_vertex>) {
    list.resize(n);
    std::iota(list.begin(), list.end(), 0);
  } else {
    using vertex = typename vertices_of_range<Sources>::type;
    const auto add = [&](std::size_t s) {
      if (s >= n) throw_no_vertex(name, std::to_string(static_cast<std::ptrdiff_t>(s)), n);
      list.push_back(static_cast<std::int32_t>(s));
    };
    const auto for_each_source = [&](const auto& f) {
      if constexpr (iterator_pair<Sources>) {
        for (auto i = sources.first; i != sources.second; ++i) f(*i);
      } else {
        for (const vertex& v : sources) f(v);
      }
    };
    if constexpr (numbers_vertices<adaptor, Graph, vertex>) {
      const auto number = adaptor::vertex_numbers(g);
      for_each_source([&](const vertex& v) {
        if constexpr (!std::integral<vertex>) {
          add(number(v));
        } else if constexpr (has_vertex_ids<adaptor>) {
          const auto s = static_cast<std::size_t>(number(v));
          if (s >= n) throw_no_id(name, std::to_string(plain_integer(v)));
          add(s);
        } else {
          // An index map must not be called with an invalid vertex number.
          if (static_cast<std::size_t>(v) >= n) add(static_cast<std::size_t>(v));
          add(number(v));
        }
      });
    } else {
      static_assert(
          !has_vertex_ids<adaptor>,
          "apsp: the vertices of this graph are ids, but vertex_numbers of its graph_adaptor "
          "does not accept those of this list");
      static_assert(std::integral<vertex>,
                    "apsp: sources must be vertex numbers or vertices of this graph");
      for_each_source([&](const vertex& v) { add(static_cast<std::size_t>(v)); });
    }
  }
  return list;
}

}  // namespace apsp::inline v1::detail
