// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/carry.hpp"
#include "../detail/values/not_a_number.hpp"
#include "../detail/values/weight.hpp"
#include "weighted.hpp"

namespace apsp::inline v1 {

namespace detail {

template <class T>
inline constexpr bool is_carried = false;
template <class D, class A>
inline constexpr bool is_carried<carried<D, A>> = true;

/// Weights of type `carried` are checked as the weights of a graph are, and their attributes as
/// well. Found by the arguments of the general `to_distance`.
template <class T, class W>
  requires is_carried<T> && is_carried<W>
T to_distance(const W& w, edge_fault& fault) {
  using distance = decltype(T::distance);
  using attribute = decltype(T::attribute);
  const auto length = to_distance<distance>(w.distance, fault);
  if (equals_unreachable(length)) return unreachable<T>;
  const auto sum = to_distance<attribute>(w.attribute, fault);
  if (is_infinite(sum)) fault = edge_fault::range;
  return {length, sum};
}

/// @throws std::invalid_argument unless @p x, of the arc from u to v, is finite and fits.
template <class T, class X>
T checked_attribute(const X& x, std::size_t u, std::size_t v) {
  static_assert(std::is_arithmetic_v<X>,
                "apsp::carry: expected attributes of a built-in arithmetic type");
  bool is_valid = true;
  if constexpr (std::is_floating_point_v<X>) {
    is_valid = kind_of_float(x) == float_kind::finite;
  } else if constexpr (!std::is_same_v<X, bool>) {
    is_valid = std::in_range<T>(plain_integer(x));
  }
  if (is_valid) return static_cast<T>(x);
  throw std::invalid_argument("apsp::carry: expected a finite attribute of arc " +
                              std::to_string(u) + " -> " + std::to_string(v) +
                              " that fits in 64 bits, not " + std::to_string(x));
}

}  // namespace detail

template <class G, class A>
struct graph_adaptor<carrying_graph<G, A>> : detail::wrapper_adaptor<carrying_graph<G, A>> {
  using graph_type = carrying_graph<G, A>;
  using inner = graph_adaptor_t<G>;
  using edge_type = typename inner::edge_type;
  using own_weight = typename inner::weight_type;
  using attribute_type = std::remove_cvref_t<decltype(detail::edge_weight(
      std::declval<const std::remove_cvref_t<G>&>(), std::declval<const A&>(),
      std::declval<const edge_type&>()))>;
  using weight_type =
      carried<detail::carried_sum_t<own_weight>, detail::carried_sum_t<attribute_type>>;

  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    using distance = decltype(weight_type::distance);
    using attribute = decltype(weight_type::attribute);
    // Both functions of the graph read its arcs in the same order.
    std::vector<own_weight> weights;
    inner::for_each_edge(g.graph(), [&](auto, auto, const auto& w) { weights.push_back(w); });
    std::size_t i = 0;
    inner::for_each_arc(g.graph(), [&](auto from, auto to, const edge_type& e) {
      const auto u = static_cast<std::size_t>(from);
      const auto v = static_cast<std::size_t>(to);
      detail::edge_fault fault = detail::edge_fault::none;
      const auto length = detail::to_distance<distance>(weights.at(i++), fault);
      if (fault != detail::edge_fault::none) {
        detail::throw_edge_fault(fault, u, v, inner::num_vertices(g.graph()));
      }
      if (detail::equals_unreachable(length)) return f(u, v, unreachable<weight_type>);
      const auto sum = detail::checked_attribute<attribute>(
          detail::edge_weight(g.graph(), g.attribute(), e), u, v);
      f(u, v, weight_type{length, sum});
    });
  }
};

}  // namespace apsp::inline v1
