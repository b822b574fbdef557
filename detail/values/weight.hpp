// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "not_a_number.hpp"

// Validation of weights, and their conversion to the type of the distances.
namespace apsp::inline v1::detail {

/// The possible faults of an edge.
enum class edge_fault { none, vertex, not_a_number, minus_infinity, range, not_admitted };

/// The range of the weights of a graph, in the type of the distances.
template <class T>
struct weight_range {
  std::size_t num_edges = 0;
  T smallest =
      unreachable<T>;  ///< Over all arcs that are not unreachable; `unreachable` if there are none.
  T largest = T{};     ///< At least 0.
};

/// The integer type of the same range that std::cmp_less and related functions accept: they reject
/// `char`, `wchar_t` and similar types.
template <class T>
using plain_integer_t = typename std::conditional_t<std::is_signed_v<T>, std::make_signed<T>,
                                                    std::make_unsigned<T>>::type;
template <class T>
constexpr plain_integer_t<T> plain_integer(T x) {
  return static_cast<plain_integer_t<T>>(x);
}

/// Weight @p w as a distance, rounded to the nearest value if T is floating point. Sets @p fault if
/// it is not a valid weight; a weight that would round to infinity or to zero is not valid.
template <class T, class W>
T to_distance(const W& w, edge_fault& fault) {
  static_assert(std::is_convertible_v<W, T> || std::is_constructible_v<T, W>,
                "apsp: the weights of this graph cannot be converted to the type of the distances");
  static_assert(!(std::is_floating_point_v<W> && std::is_integral_v<T>),
                "apsp: the weights are floating point, but the distances are integers; use a "
                "distance matrix of float or double");
  if constexpr (std::is_same_v<W, bool>) {
    return static_cast<T>(w ? 1 : 0);
  } else if constexpr (std::is_floating_point_v<W>) {
    if (is_nan(w)) fault = edge_fault::not_a_number;
    if (is_infinite(w) && std::signbit(w)) fault = edge_fault::minus_infinity;
    const T converted = static_cast<T>(w);
    if constexpr (std::is_floating_point_v<T>) {
      const bool overflows = is_infinite(converted) && !is_infinite(w);
      const bool underflows = converted == T{} && w != W{};
      if (overflows || underflows) fault = edge_fault::range;
    }
    return converted;
  } else if constexpr (std::is_integral_v<W> && std::is_integral_v<T>) {
    if (w == unreachable<W>) return unreachable<T>;
    if (!std::in_range<plain_integer_t<T>>(plain_integer(w))) fault = edge_fault::range;
    return static_cast<T>(w);
  } else if constexpr (std::is_integral_v<W>) {
    return w == unreachable<W> ? unreachable<T> : static_cast<T>(w);
  } else {
    const T converted = static_cast<T>(w);
    if constexpr (std::is_floating_point_v<T>) {
      if (is_nan(converted)) fault = edge_fault::not_a_number;
      if (is_infinite(converted) && std::signbit(converted)) fault = edge_fault::minus_infinity;
    }
    return converted;
  }
}

/// @throws std::invalid_argument with a message that identifies the arc from u to v.
[[noreturn]] inline void throw_edge_fault(edge_fault fault, std::size_t u, std::size_t v,
                                          std::size_t n) {
  // A negative vertex number was converted to unsigned.
  const std::string arc = "apsp: arc " + std::to_string(static_cast<std::ptrdiff_t>(u)) + " -> " +
                          std::to_string(static_cast<std::ptrdiff_t>(v));
  switch (fault) {
    case edge_fault::vertex:
      throw std::invalid_argument(arc + " is out of range: the graph has " + std::to_string(n) +
                                  " vertices");
    case edge_fault::not_a_number:
      throw std::invalid_argument(arc + " has a weight of NaN");
    case edge_fault::minus_infinity:
      throw std::invalid_argument(arc + " has a weight of minus infinity");
    case edge_fault::not_admitted:
      throw std::invalid_argument(arc + " has a weight that the semiring does not admit");
    default:
      throw std::invalid_argument(arc + " has a weight out of the range of the distances");
  }
}

/// An arc as stored by the algorithms.
template <class T>
struct weighted_arc {
  std::size_t source;
  std::size_t target;
  T weight;
};

/// A semiring that defines which of its values are weights.
template <class S>
concept weight_admitting_semiring = requires(const S& s, const typename S::value_type& weight) {
  static_cast<bool>(s.admits(weight));
};

/// True if an arc of that weight counts as absent. Types without a largest value have no such
/// weight.
template <class T>
bool is_no_arc(const T& weight) {
  if constexpr (std::numeric_limits<T>::is_specialized) {
    return equals_unreachable(weight);
  } else {
    return false;
  }
}

/// The range of valid weights, from the least to the greatest.
template <class T>
struct value_range {
  T least;
  T most;
};

/// The values admitted by a semiring of the library.
template <class S>
constexpr value_range<typename S::value_type> admitted_values() {
  using T = typename S::value_type;
  if constexpr (weight_admitting_semiring<S>) return {T{S::zero}, T{S::one}};
  return {value_limits<T>::least, unreachable<T>};
}

/// The valid weights of shortest paths: all except minus infinity.
template <class T>
constexpr value_range<T> finite_weights() {
  return {std::numeric_limits<T>::lowest(), unreachable<T>};
}

}  // namespace apsp::inline v1::detail
