// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "distance_code.hpp"
#include "int128.hpp"

// What the result of a call says of the type in which it computed.
namespace apsp::inline v1::detail {

template <class C>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<C, float>) {
    return "float";
  } else if constexpr (std::is_same_v<C, double>) {
    return "double";
  } else if constexpr (std::is_same_v<C, long double>) {
    return "long double";
  } else if constexpr (std::is_same_v<C, int128>) {
    return "int128";
  } else if constexpr (std::is_integral_v<C>) {
    constexpr std::string_view names[] = {"int8", "int16", "int32", "int64"};
    constexpr std::string_view unsigned_names[] = {"uint8", "uint16", "uint32", "uint64"};
    constexpr std::size_t number = sizeof(C) == 1 ? 0 : sizeof(C) == 2 ? 1 : sizeof(C) == 4 ? 2 : 3;
    return std::is_signed_v<C> ? names[number] : unsigned_names[number];
  } else {
    return "a type of the program";
  }
}

inline constexpr std::string_view bounded_distances =
    "a bound of all distances, from searches, is below its largest value";

/// Of an unsigned type that was tried.
inline constexpr std::string_view no_longer_distance = "no distance was longer than it holds";

inline constexpr std::string_view type_of_the_result = "it is the type of the result";

/// Why sums of type C are distances of type T, if @p weights and not a search decided it.
template <class C, class T>
constexpr std::string_view why_sums_fit(std::size_t n, const weight_range<T>& weights) {
  if constexpr (is_coded_integer<C>) {
    return choose_code<C>(n, weights) ? "no path is longer than it holds"
                                      : "longer paths do not fit the type of the result either";
  } else if constexpr (std::is_same_v<C, T>) {
    return type_of_the_result;
  } else {
    return "it holds more digits, or larger values, than the type of the result";
  }
}

}  // namespace apsp::inline v1::detail
