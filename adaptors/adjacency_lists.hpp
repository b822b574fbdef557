// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <tuple>
#include <type_traits>

#include "../apsp/graph.hpp"

namespace apsp {

namespace detail {

// Element u is the list of the arcs that leave vertex u.
template <class G>
concept range_of_lists =
    std::ranges::random_access_range<const G> && std::ranges::sized_range<const G> &&
    std::ranges::forward_range<std::ranges::range_reference_t<const G>>;
template <class G>
using list_element_t = std::ranges::range_value_t<std::ranges::range_reference_t<const G>>;

template <class G>
concept lists_of_arcs = range_of_lists<G> && target_and_weight<list_element_t<G>>;
template <class G>
concept lists_of_targets = range_of_lists<G> && std::integral<list_element_t<G>>;

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

/// A non-owning view of lists of targets as a graph without weights, for `weighted` and
/// `unweighted`: element u of the range is a range of the targets of the arcs that leave vertex u.
/// Without the view, `std::vector<std::vector<int>>` is a matrix. The lists must outlive it.
template <class G>
  requires detail::lists_of_targets<G>
class adjacency_lists_view {
 public:
  explicit adjacency_lists_view(const G& lists) : lists_(&lists) {}
  explicit adjacency_lists_view(const G&&) = delete;
  const G& lists() const noexcept { return *lists_; }

 private:
  const G* lists_;
};

template <class G>
struct graph_adaptor<adjacency_lists_view<G>> {
  using graph_type = adjacency_lists_view<G>;
  using weight_type = void;
  using edge_type = edge;

  static std::size_t num_vertices(const graph_type& g) {
    return static_cast<std::size_t>(std::ranges::size(g.lists()));
  }

  template <class F>
  static void for_each_arc(const graph_type& g, F f) {
    std::size_t index = 0;
    for (std::size_t u = 0; u < num_vertices(g); ++u) {
      for (const auto target : detail::list_of(g.lists(), u)) {
        const auto v = static_cast<std::size_t>(target);
        f(u, v, edge{u, v, index++});
      }
    }
  }
};

}  // namespace apsp
