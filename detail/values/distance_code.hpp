// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "../../apsp/unreachable.hpp"
#include "int128.hpp"
#include "weight.hpp"

namespace apsp::inline v1::detail {

/// The representation of distances while an algorithm runs: a value for "unreachable", chosen so
/// that no sum of two entries wraps, and the range of final entries that mean it.
template <class C>
struct distance_code {
  C unreachable;
  C floor;             ///< No sum in a graph without negative cycles is below it.
  C unreachable_from;  ///< A final entry of at least this value is unreachable.
};

template <class C>
inline constexpr bool is_coded_integer = std::is_integral_v<C> || std::is_same_v<C, int128>;

template <class C>
constexpr C largest_value() {
  if constexpr (std::is_same_v<C, int128>) {
    constexpr C half = C{1} << 126;
    return half - 1 + half;
  } else {
    return (std::numeric_limits<C>::max)();
  }
}

/// The distance of an unreachable vertex, in the type of the computation.
template <class C>
constexpr C no_path() {
  if constexpr (is_coded_integer<C>) {
    return largest_value<C>();
  } else {
    return unreachable<C>;
  }
}

/// The largest 16-bit distance. It means "unreachable", and the sum of two of them does not wrap.
inline constexpr std::uint16_t unreachable_half = 0x7fff;

/// The first type to try for distances of the integer type T.
template <class T>
using narrowest_code_t =
    std::conditional_t<sizeof(T) <= sizeof(std::int32_t), std::int32_t, std::int64_t>;

/// Weight @p w in the type of a code, cut at the code's value for "unreachable", so that no sum
/// wraps. If all distances are shorter, the arc is not part of a shortest path anyway.
template <class C, class T>
constexpr C cut_weight(const T& w, [[maybe_unused]] const C& unreachable) {
  // A wider type holds every weight with a wide margin.
  if constexpr (std::is_integral_v<T> && sizeof(C) == sizeof(T)) {
    if (w >= static_cast<T>(unreachable)) return unreachable;
  }
  return static_cast<C>(w);
}

/// An upper bound on |length| over the paths of a graph of n vertices with integer weights.
template <class T>
constexpr int128 longest_path(std::size_t n, const weight_range<T>& weights) {
  const auto magnitude = [](const T& w) {
    const auto wide = static_cast<int128>(w);
    return wide < 0 ? -wide : wide;
  };
  int128 heaviest = magnitude(weights.largest);
  if (weights.smallest < T{} && magnitude(weights.smallest) > heaviest) {
    heaviest = magnitude(weights.smallest);
  }
  // n < 2^31 and weights have at most 64 bits, so this does not wrap.
  return static_cast<int128>(n) * heaviest;
}

/// The code for distances of type C if @p span bounds the lengths of all paths, or nothing if C is
/// too narrow.
///
/// With U = max / 2 for unreachable, U + U does not wrap. A missing arc then acts as an arc of
/// weight U: without negative weights, entries of U never decrease. With negative weights, a path
/// over missing arcs has a length of at least U - span; so span <= U / 2 keeps the two apart.
/// Clamping sums at -U prevents them from wrapping below.
template <class C>
std::optional<distance_code<C>> choose_code_for_span(const int128& span, bool negative) {
  const C u = largest_value<C>() / 2;
  if (span >= (negative ? u / 2 : u)) return std::nullopt;
  return distance_code<C>{u, negative ? static_cast<C>(-u) : C{0},
                          negative ? static_cast<C>(u - static_cast<C>(span)) : u};
}

/// The code for distances of type C in a graph of n vertices, or nothing if some distance of the
/// graph might not fit: n * max |weight| bounds all paths.
template <class C, class T>
std::optional<distance_code<C>> choose_code(std::size_t n, const weight_range<T>& weights) {
  if constexpr (!is_coded_integer<C>) {
    return distance_code<C>{unreachable<C>, C{}, unreachable<C>};
  } else {
    return choose_code_for_span<C>(longest_path(n, weights), weights.smallest < T{});
  }
}

/// The floating-point type in which sums of T are accumulated if they may leave the range of T: T
/// itself if no type has a wider range.
template <class T>
using wider_float_t =
    std::conditional_t<std::is_same_v<T, float>, double,
                       std::conditional_t<(std::numeric_limits<long double>::max_exponent >
                                           2 * std::numeric_limits<T>::max_exponent),
                                          long double, T>>;

/// True if the sum of a path's floating-point weights may become infinite, although weights of the
/// opposite sign may bring the path back into the range.
template <class T>
bool sums_may_leave_range(std::size_t n, const weight_range<T>& weights) {
  if constexpr (std::is_floating_point_v<T>) {
    const T heaviest = weights.largest < -weights.smallest ? -weights.smallest : weights.largest;
    return weights.smallest < T{} &&
           (std::numeric_limits<T>::max)() / static_cast<T>(n) <= heaviest;
  } else {
    return false;
  }
}

/// Calls f(code) with the code of the narrowest type, starting with T, that holds every path.
template <class T, class F>
auto with_code(std::size_t n, const weight_range<T>& weights, F f) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (sizeof(T) <= 4) {
      if (const auto code = choose_code<std::int32_t>(n, weights)) return f(*code);
    }
    if (const auto code = choose_code<std::int64_t>(n, weights)) return f(*code);
    return f(*choose_code<int128>(n, weights));
  } else {
    if constexpr (std::is_floating_point_v<T>) {
      if (sums_may_leave_range(n, weights)) return f(*choose_code<wider_float_t<T>>(n, weights));
    }
    return f(*choose_code<T>(n, weights));
  }
}

/// A coded entry as a T, cut to the range of T; @p was_cut is set if it was cut.
/// @param unreachable_from  entries of at least this value are unreachable.
template <class T, class C>
T decoded_distance(const C& entry, const C& unreachable_from, bool& was_cut) {
  if (!(entry < unreachable_from)) return unreachable<T>;
  if constexpr (is_coded_integer<C> && !std::is_same_v<C, T>) {
    // C may be narrower than T, or signed when T is not.
    const auto exact = static_cast<int128>(entry);
    if (exact >= static_cast<int128>(unreachable<T>)) {
      was_cut = true;
      return unreachable<T>;
    }
    if (exact < static_cast<int128>(std::numeric_limits<T>::lowest())) {
      was_cut = true;
      return std::numeric_limits<T>::lowest();
    }
  }
  return static_cast<T>(entry);
}

}  // namespace apsp::inline v1::detail
