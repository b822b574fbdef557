// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "not_a_number.hpp"

// Helpers for the cutoff of a policy, shared by the algorithms.
namespace apsp::inline v1::detail {

/// The policy's limit as a distance of type T: rounded down for integers, to the nearest value for
/// floating point. Nothing if it is beyond the range of T: values that T cannot hold are then cut
/// by the type, not by the limit.
/// @throws std::invalid_argument if there is a limit and T is a user-defined type.
template <class T>
std::optional<T> to_cutoff(std::optional<long double> limit) {
  if (!limit || equals_unreachable(*limit)) return std::nullopt;
  if constexpr (std::is_integral_v<T>) {
    if (*limit < static_cast<long double>(unreachable<T>)) return static_cast<T>(*limit);
    return std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (*limit < static_cast<long double>((std::numeric_limits<T>::max)())) {
      return static_cast<T>(*limit);
    }
    return std::nullopt;
  } else {
    throw std::invalid_argument("apsp: a cutoff needs distances of a built-in type");
  }
}

/// The policy's limit as a value of the semiring. A limit between two integers becomes the better
/// one: the other would be beyond the limit.
/// @throws std::invalid_argument if there is a limit and its type is user-defined.
template <class S>
std::optional<typename S::value_type> to_cutoff_of(const S& semiring,
                                                   std::optional<long double> limit) {
  using T = typename S::value_type;
  if (!limit) return std::nullopt;
  if constexpr (std::is_arithmetic_v<T>) {
    const auto convert = [](long double x) {
      const bool fits =
          !equals_unreachable(x) && x < static_cast<long double>((std::numeric_limits<T>::max)());
      return fits ? static_cast<T>(x) : unreachable<T>;
    };
    if constexpr (std::is_floating_point_v<T>) return convert(*limit);
    return semiring.plus(convert(std::floor(*limit)), convert(std::ceil(*limit)));
  } else {
    throw std::invalid_argument("apsp: a cutoff needs distances of a built-in type");
  }
}

/// Removes the predecessors of vertices without a distance from a tree of n vertices. With negative
/// weights the path to a vertex with a distance may lead through a vertex without one, which then
/// keeps its predecessor. Allocates nothing, because rows have already been written.
/// @param is_unreachable  `is_unreachable(v)`: v has no distance.
template <class IsUnreachable>
void forget_predecessors_of_unreachable(std::size_t n, std::int32_t* predecessors,
                                        IsUnreachable is_unreachable) {
  // Most rows have none. Without a branch the loop is over vectors.
  unsigned found = 0;
  for (std::size_t v = 0; v < n; ++v) {
    found |= unsigned{predecessors[v] >= 0} & unsigned{is_unreachable(v)};
  }
  if (found == 0) return;
  // Predecessors to be kept for vertices without a distance are marked by values below -1 until the
  // end.
  const auto kept = [](std::int32_t predecessor) { return -2 - predecessor; };
  for (std::size_t v = 0; v < n; ++v) {
    if (predecessors[v] < 0 || is_unreachable(v)) continue;
    auto u = static_cast<std::size_t>(predecessors[v]);
    while (predecessors[u] >= 0 && is_unreachable(u)) {
      const std::int32_t next = predecessors[u];
      predecessors[u] = kept(next);
      u = static_cast<std::size_t>(next);
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    if (predecessors[v] < -1) {
      predecessors[v] = kept(predecessors[v]);
    } else if (predecessors[v] >= 0 && is_unreachable(v)) {
      predecessors[v] = -1;
    }
  }
}

}  // namespace apsp::inline v1::detail
