// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "../apsp/graph.hpp"
#include "viewed_array.hpp"

namespace apsp {

/// A non-owning view of a directed graph as a list of arcs (coordinate format, COO): arc k goes
/// from `sources[k]` to `targets[k]` and has weight `weights[k]`. Arcs may be in any order, and
/// parallel arcs are allowed. Without weights, it can be passed to `weighted` and `unweighted`.
template <std::integral Index, class Weight = void>
class edge_list_view {
  struct none {};

 public:
  using weight_type = Weight;
  using weights_type =
      std::conditional_t<std::is_void_v<Weight>, none, std::span<std::add_const_t<Weight>>>;

  edge_list_view(std::size_t num_vertices, std::span<const Index> sources,
                 std::span<const Index> targets)
    requires std::is_void_v<Weight>
      : num_vertices_(num_vertices), sources_(sources), targets_(targets) {}
  edge_list_view(std::size_t num_vertices, std::span<const Index> sources,
                 std::span<const Index> targets, weights_type weights)
    requires(!std::is_void_v<Weight>)
      : num_vertices_(num_vertices), sources_(sources), targets_(targets), weights_(weights) {}

  std::size_t num_vertices() const noexcept { return num_vertices_; }
  std::span<const Index> sources() const noexcept { return sources_; }
  std::span<const Index> targets() const noexcept { return targets_; }
  const weights_type& weights() const noexcept { return weights_; }

 private:
  std::size_t num_vertices_;
  std::span<const Index> sources_;
  std::span<const Index> targets_;
  [[no_unique_address]] weights_type weights_;
};

template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
edge_list_view(std::size_t, Sources&&, Targets&&)
    -> edge_list_view<detail::viewed_value_t<Sources>>;
template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets,
          std::ranges::contiguous_range Weights>
edge_list_view(std::size_t, Sources&&, Targets&&, Weights&&)
    -> edge_list_view<detail::viewed_value_t<Sources>, detail::viewed_value_t<Weights>>;

template <class Index, class Weight>
struct graph_adaptor<edge_list_view<Index, Weight>> {
  using graph_type = edge_list_view<Index, Weight>;
  using weight_type = Weight;
  using edge_type = edge;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }

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

}  // namespace apsp
