// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../detail/values/not_a_number.hpp"
#include "../detail/values/weight.hpp"
#include "graph.hpp"
#include "semiring.hpp"
#include "unreachable.hpp"
#include "weighted.hpp"

// A second number that is added up along shortest paths, such as the kilometres of the fastest
// routes.
namespace apsp::inline v1 {

namespace detail {

/// The type in which weights or attributes of type T are added up.
template <class T>
using carried_sum_t = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

template <class T>
concept carried_number =
    std::floating_point<T> || (std::signed_integral<T> && sizeof(T) == sizeof(std::int64_t));

/// a + b, or for integers the nearest value of the type.
template <class T>
constexpr T nearest_sum(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    constexpr T largest = (std::numeric_limits<T>::max)();
    constexpr T least = (std::numeric_limits<T>::min)();
    if (T{} < b && largest - b < a) return largest;
    if (b < T{} && a < least - b) return least;
  }
  return a + b;
}

}  // namespace detail

/// A distance, and the sum of an attribute along a path of that length. A weight type: sums are of
/// both members, the shorter distance is less, and of equal distances the one with the smaller
/// attribute. The attribute of an unreachable vertex is 0.
///
/// @tparam Distance, Attribute  `std::int64_t` or floating-point types. A sum of integers that does
///         not fit is the nearest value; a distance that does not fit is `unreachable`.
template <class Distance, class Attribute>
struct carried {
  static_assert(detail::carried_number<Distance> && detail::carried_number<Attribute>,
                "apsp::carried: expected std::int64_t or a floating-point type for the distance "
                "and for the attribute");

  Distance distance{};
  Attribute attribute{};

  friend constexpr bool operator==(const carried&, const carried&) = default;
  friend constexpr bool operator<(const carried& a, const carried& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.attribute < b.attribute);
  }
  friend constexpr carried operator+(const carried& a, const carried& b) {
    const Distance length = detail::nearest_sum(a.distance, b.distance);
    if (detail::equals_unreachable(length)) return {length, Attribute{}};
    return {length, detail::nearest_sum(a.attribute, b.attribute)};
  }
  friend constexpr carried operator-(const carried& a, const carried& b) {
    return a + carried{opposite(b.distance), opposite(b.attribute)};
  }

 private:
  template <class T>
  static constexpr T opposite(const T& x) {
    if constexpr (std::is_integral_v<T>) {
      if (x == (std::numeric_limits<T>::min)()) return (std::numeric_limits<T>::max)();
    }
    return -x;
  }
};

}  // namespace apsp::inline v1

template <class Distance, class Attribute>
struct std::numeric_limits<apsp::carried<Distance, Attribute>> {
  static constexpr bool is_specialized = true;
  static constexpr bool has_infinity = false;
  static constexpr apsp::carried<Distance, Attribute>(max)() {
    return {apsp::unreachable<Distance>, Attribute{}};
  }
  static constexpr apsp::carried<Distance, Attribute> lowest() {
    return {apsp::detail::value_limits<Distance>::least, Attribute{}};
  }
};

namespace apsp::inline v1 {

/// The return type of `carry`.
template <class G, class A>
class carrying_graph {
 public:
  template <class Graph>
  carrying_graph(Graph&& g, A a) : graph_(std::forward<Graph>(g)), attribute_(std::move(a)) {}
  const std::remove_cvref_t<G>& graph() const noexcept { return graph_; }
  const A& attribute() const noexcept { return attribute_; }

 private:
  G graph_;
  A attribute_;
};

/// @p g with weights of type `carried`: its own, and an attribute of each edge that is added up
/// along the shortest paths. Of shortest paths of equal length the one with the least attribute
/// counts, so the answer is always the same, except that rounding decides which
/// floating-point lengths are equal.
///
/// @code
/// apsp::matrix<apsp::carried<double, double>> table(depots.size(), customers.size());
/// apsp::distance_table(apsp::omp, apsp::carry(minutes, kilometres), depots, customers, table);
/// @endcode
///
/// All functions for graphs with weights of a program's own types accept it, also
/// `contraction_hierarchy`. They run on the host.
///
/// @param g          any graph with weights and edge handles; kept by reference, unless it is a
///                   temporary.
/// @param a          a function of an edge, or another kind of weight, as for `weighted`: the
///                   attribute, a finite number. Negative attributes are allowed, but a cycle of
///                   length 0 whose attribute is negative is a negative cycle.
/// @throws std::invalid_argument by the call that reads the graph, if an attribute is not finite or
///         does not fit.
template <graph_with_arcs G, class A>
  requires graph_with_weights<G>
auto carry(G&& g, A a) {
  return carrying_graph<detail::kept_graph_t<G>, A>(std::forward<G>(g), std::move(a));
}

// Reports at compile time, in one sentence, why the argument is not accepted above.
template <class G, class A>
  requires(!graph_with_arcs<G> || !graph_with_weights<G>)
auto carry(G&&, A) {
  detail::explain_graph<G>();
  static_assert(!graph<G>,
                "apsp::carry: expected a graph with weights whose graph_adaptor has edge_type and "
                "for_each_arc, which give attributes to its arcs");
  return detail::no_graph{};
}

}  // namespace apsp::inline v1

// How this graph is read.
#include "../adaptors/carry.hpp"
