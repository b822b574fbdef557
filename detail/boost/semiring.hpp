// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "../../apsp/distance_functions.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/semiring.hpp"
#include "../graph/semiring_edges.hpp"
#include "../per_source/problem/paths.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"

// Maps the parameters of Boost.Graph's functions to semirings, and checks when these give the
// results of Boost's loop.
namespace apsp::inline v1::detail::boost_compatible {

/// Kinds of function objects on two values; `operand` is the type that they operate on, void for
/// any.
enum class operation_kind { other, less, greater, multiplies, minimum, maximum };

template <operation_kind Kind, class X>
struct known_operation {
  static constexpr operation_kind kind = Kind;
  using operand = X;
};

template <class F>
struct operation : known_operation<operation_kind::other, void> {};
template <class X>
struct operation<std::less<X>> : known_operation<operation_kind::less, X> {};
template <class X>
struct operation<std::greater<X>> : known_operation<operation_kind::greater, X> {};
template <class X>
struct operation<std::multiplies<X>> : known_operation<operation_kind::multiplies, X> {};
template <class X>
struct operation<minimum<X>> : known_operation<operation_kind::minimum, X> {};
template <class X>
struct operation<maximum<X>> : known_operation<operation_kind::maximum, X> {};
template <>
struct operation<std::remove_cvref_t<decltype(std::ranges::min)>>
    : known_operation<operation_kind::minimum, void> {};
template <>
struct operation<std::remove_cvref_t<decltype(std::ranges::max)>>
    : known_operation<operation_kind::maximum, void> {};

/// True if F is that operation on values of type T.
template <class F, operation_kind Kind, class T>
inline constexpr bool is_operation =
    operation<F>::kind == Kind && (std::is_void_v<typename operation<F>::operand> ||
                                   std::is_same_v<typename operation<F>::operand, T>);

/// True if distances may be of type T.
template <class T>
inline constexpr bool is_distance =
    !std::is_same_v<T, bool> && !(std::is_integral_v<T> && sizeof(T) > 8);

/// The named semiring formed by two function objects on values of type T, as a
/// `std::type_identity`; void if there is none.
template <class T, class Compare, class Combine>
constexpr auto find_semiring() {
  using kind = operation_kind;
  if constexpr (!std::is_arithmetic_v<T> || !is_distance<T>) {
    return std::type_identity<void>{};
  } else if constexpr (is_operation<Compare, kind::greater, T> &&
                       is_operation<Combine, kind::minimum, T>) {
    return std::type_identity<max_min<T>>{};
  } else if constexpr (is_operation<Compare, kind::greater, T> &&
                       is_operation<Combine, kind::multiplies, T>) {
    return std::type_identity<max_times<T>>{};
  } else if constexpr (is_operation<Compare, kind::less, T> &&
                       is_operation<Combine, kind::maximum, T>) {
    return std::type_identity<min_max<T>>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// The semiring formed by a comparison and a combination of values of type T; `type` is void if
/// they form none that has best paths. `min_plus` is handled separately.
template <class T, class Compare, class Combine>
struct semiring_of {
  using type = typename decltype(find_semiring<T, Compare, Combine>())::type;
  static const auto& get(const Combine&) {
    static constexpr type semiring{};
    return semiring;
  }
};

template <class S>
  requires(best_path_semiring<S> && !is_min_plus<S> &&
           (is_distance<typename S::value_type> || std::is_same_v<S, or_and>))
struct semiring_of<typename S::value_type, distance_compare<S>, distance_combine<S>> {
  using type = S;
  static const S& get(const distance_combine<S>& combine) { return combine.semiring(); }
};

/// Checks whether the closure over a semiring equals the result of Boost's loop for the added
/// edges. Edges may be added from several threads.
///
/// Extending a path never improves it. All parts of a path are therefore better than `inf` if the
/// path is, so the loop, which skips entries equal to `inf`, finds the best path if it is better
/// than `inf`, and leaves `inf` otherwise. This requires that every edge is better than `inf`, and
/// that no value is mistaken for another: the semiring's `zero` must not be better than `inf`, and
/// no edge may have the library's value `unreachable`.
template <class S>
class semiring_check {
  using T = typename S::value_type;

 public:
  semiring_check(const S& semiring, const T& inf)
      : semiring_(semiring),
        inf_(inf),
        fits_(inf == inf && !is_better(semiring, static_cast<T>(semiring.zero), inf)) {}

  /// Adds the arc of weight @p w from u to v.
  /// @throws std::invalid_argument if the weight is NaN.
  void add(std::size_t u, std::size_t v, const T& w) {
    bool is_arc = true;
    // For bool, both values are weights.
    if constexpr (!std::is_same_v<T, bool>) is_arc = !is_no_arc(w);
    require(is_arc && is_value(u, v, w));
  }

  /// Adds an arc when every vertex has a path to itself of value @p zero. Such paths must change
  /// nothing; no cycle is then better, since extending them does not improve them.
  void add(std::size_t u, std::size_t v, const T& w, const T& zero) {
    add(u, v, w);
    if (fits()) require(semiring_.times(zero, w) == w && semiring_.times(w, zero) == w);
  }

  /// Adds a path of value @p w from v to itself, which is not an arc of the semiring.
  void add_loop(std::size_t v, const T& w) { require(is_value(v, v, w)); }

  bool fits() const { return fits_.load(std::memory_order_relaxed); }

 private:
  bool is_value(std::size_t u, std::size_t v, const T& w) const {
    if (is_nan(w)) throw_edge_fault(edge_fault::not_a_number, u, v, 0);
    if constexpr (weight_admitting_semiring<S>) {
      if (!semiring_.admits(w)) return false;
    }
    return is_better(semiring_, w, inf_);
  }
  void require(bool condition) {
    if (!condition) fits_.store(false, std::memory_order_relaxed);
  }

  const S& semiring_;
  T inf_;
  std::atomic<bool> fits_;
};

// Predicates that select edges. Separate from the call, so that one solver serves all calls.
template <class T>
struct other_than {
  const T& inf;
  bool operator()(const T& w) const { return w != inf; }
};
template <class S>
struct better_than {
  using T = typename S::value_type;
  const S& semiring;
  const T& inf;
  bool operator()(const T& w) const { return is_better(semiring, w, inf); }
};

/// The edges of a graph for which `is_edge` is true, in the type of the distances.
template <class Graph, class T, class IsEdge>
struct some_edges {
  const Graph& graph;
  IsEdge is_edge;
};

}  // namespace apsp::inline v1::detail::boost_compatible

namespace apsp::inline v1 {

template <class Graph, class T, class IsEdge>
struct graph_adaptor<detail::boost_compatible::some_edges<Graph, T, IsEdge>> {
  using graph_type = detail::boost_compatible::some_edges<Graph, T, IsEdge>;
  using inner = graph_adaptor_t<Graph>;
  using weight_type = T;

  static std::size_t num_vertices(const graph_type& g) {
    return static_cast<std::size_t>(inner::num_vertices(g.graph));
  }
  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    inner::for_each_edge(g.graph, [&](auto u, auto v, const auto& w) {
      const T value = static_cast<T>(w);
      if (g.is_edge(value)) f(static_cast<std::size_t>(u), static_cast<std::size_t>(v), value);
    });
  }
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires graph_with_out_edges<Graph>
  {
    inner::for_each_out_edge(g.graph, u, [&](std::size_t v, const auto& w) {
      const T value = static_cast<T>(w);
      if (g.is_edge(value)) f(v, value);
    });
  }
};

}  // namespace apsp::inline v1
