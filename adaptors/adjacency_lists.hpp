// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../apsp/adjacency_lists.hpp"
#include "../apsp/graph.hpp"
#include "../detail/values/given_weights.hpp"

namespace apsp::inline v1 {

namespace detail {

template <class G>
using list_element_t = std::ranges::range_value_t<std::ranges::range_reference_t<const G>>;

template <class G>
concept lists_of_arcs = range_of_lists<G> && target_and_weight<list_element_t<G>>;

template <class G>
decltype(auto) list_of(const G& g, std::size_t u) {
  return std::ranges::begin(g)[static_cast<std::ranges::range_difference_t<const G>>(u)];
}

}  // namespace detail

/// A random-access range whose element u is a range of the arcs that leave vertex u, each a
/// `std::pair` or `std::tuple` of an integral target and a weight, is a graph by itself:
/// `std::vector<std::vector<std::pair<int, double>>>`, for example. Several threads read it.
template <class G>
  requires detail::lists_of_arcs<G>
struct graph_adaptor<G> {
  using weight_type = std::remove_cvref_t<std::tuple_element_t<1, detail::list_element_t<G>>>;
  using edge_type = edge;

  static std::size_t num_vertices(const G& g) {
    return static_cast<std::size_t>(std::ranges::size(g));
  }

  template <class F>
  static void for_each_arc(const G& g, F f) {
    std::size_t index = 0;
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      for_each_out_edge(g, u, [&](std::size_t v, const auto&) { f(u, v, edge{u, v, index++}); });
    }
  }
  template <class F>
  static void for_each_edge(const G& g, F f) {
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      for_each_out_edge(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
    }
  }
  template <class F>
  static void for_each_out_edge(const G& g, std::size_t u, F f) {
    for (auto&& [target, weight] : detail::list_of(g, u)) {
      f(static_cast<std::size_t>(target), weight);
    }
  }
};

template <class G, class Target, class Weight>
struct graph_adaptor<adjacency_lists_view<G, Target, Weight>> {
  using graph_type = adjacency_lists_view<G, Target, Weight>;
  using weight_type = typename graph_type::weight_type;
  using edge_type = edge;

  /// Several threads may read data members; functions are user code.
  template <class Read>
  static constexpr bool reads_members =
      std::is_member_object_pointer_v<Read> || std::same_as<Read, std::identity>;
  static constexpr bool reads_by_vertex = reads_members<Target> && reads_members<Weight>;

  static std::size_t num_vertices(const graph_type& g) {
    return static_cast<std::size_t>(std::ranges::size(g.lists()));
  }

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    std::size_t index = 0;
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      for (auto&& arc : detail::list_of(g.lists(), u)) {
        const auto v = static_cast<std::size_t>(std::invoke(g.target(), arc));
        f(u, v, edge{u, v, index++});
      }
    }
  }
  template <class F>
  static void for_each_edge(const graph_type& g, F f)
    requires(!std::is_void_v<weight_type>)
  {
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      read_list(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
    }
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires reads_by_vertex
  {
    read_list(g, u, f);
  }

 private:
  template <class F>
  static void read_list(const graph_type& g, std::size_t u, F f) {
    for (auto&& arc : detail::list_of(g.lists(), u)) {
      f(static_cast<std::size_t>(std::invoke(g.target(), arc)), std::invoke(g.weight(), arc));
    }
  }
};

}  // namespace apsp::inline v1
