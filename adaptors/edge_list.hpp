// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "../apsp/edge_list.hpp"
#include "../apsp/graph.hpp"
#include "../detail/values/given_weights.hpp"

namespace apsp::inline v1 {

template <class Index, class Weight>
struct graph_adaptor<edge_list_view<Index, Weight>> {
  using graph_type = edge_list_view<Index, Weight>;
  using weight_type = Weight;
  using edge_type = edge;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static auto arrays(const graph_type& g) {
    const auto sources = std::as_bytes(g.sources());
    const auto targets = std::as_bytes(g.targets());
    if constexpr (std::is_void_v<Weight>) {
      return std::array<std::span<const std::byte>, 2>{sources, targets};
    } else {
      return std::array<std::span<const std::byte>, 3>{sources, targets,
                                                       std::as_bytes(g.weights())};
    }
  }

  static void validate(const graph_type& g) {
    bool same_length = g.sources().size() == g.targets().size();
    if constexpr (!std::is_void_v<Weight>) {
      same_length = same_length && g.weights().size() == g.targets().size();
    }
    if (!same_length) {
      throw std::invalid_argument(
          "apsp::edge_list_view: sources, targets and weights differ in length");
    }
  }

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    for (std::size_t k = 0; k < g.sources().size(); ++k) {
      const auto u = static_cast<std::size_t>(g.sources()[k]);
      const auto v = static_cast<std::size_t>(g.targets()[k]);
      f(u, v, edge{u, v, k});
    }
  }

  template <class F>
  static void for_each_edge(const graph_type& g, F f)
    requires(!std::is_void_v<Weight>)
  {
    for_each_arc(
        g, [&](std::size_t u, std::size_t v, const edge& e) { f(u, v, g.weights()[e.index]); });
  }
};

template <class R, class Source, class Target, class Weight>
struct graph_adaptor<edge_range<R, Source, Target, Weight>> {
  using graph_type = edge_range<R, Source, Target, Weight>;
  using edge_type = edge;
  using weight_type = detail::weight_given_t<Weight, detail::arc_of<R>>;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    std::size_t index = 0;
    for (auto&& arc : g.arcs()) {
      const auto u = static_cast<std::size_t>(std::invoke(g.source(), arc));
      const auto v = static_cast<std::size_t>(std::invoke(g.target(), arc));
      f(u, v, edge{u, v, index++});
    }
  }

  template <class F>
  static void for_each_edge(const graph_type& g, F f)
    requires(!std::is_void_v<weight_type>)
  {
    for (auto&& arc : g.arcs()) {
      f(static_cast<std::size_t>(std::invoke(g.source(), arc)),
        static_cast<std::size_t>(std::invoke(g.target(), arc)), std::invoke(g.weight(), arc));
    }
  }
};

}  // namespace apsp::inline v1
