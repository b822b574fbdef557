// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "semiring_edges.hpp"

// Which values may be weights, in a form that a look over data in device memory can use.
namespace apsp::detail {

/// From the least value to the greatest that may be a weight.
template <class T>
struct value_range {
  T least;
  T most;
};

/// The values that a semiring of the library admits.
template <class S>
constexpr value_range<typename S::value_type> admitted_values() {
  using T = typename S::value_type;
  if constexpr (weight_admitting_semiring<S>) return {T{S::zero}, T{S::one}};
  return {value_limits<T>::least, unreachable<T>};
}

/// The weights of shortest paths: minus infinity is none.
template <class T>
constexpr value_range<T> finite_weights() {
  return {std::numeric_limits<T>::lowest(), unreachable<T>};
}

}  // namespace apsp::detail
