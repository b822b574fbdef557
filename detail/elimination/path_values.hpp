// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../../apsp/semiring.hpp"
#include "../tiles/host/tile_kernel.hpp"
#include "../values/distance_code.hpp"

namespace apsp::inline v1::detail {

/// The values of paths while vertices are eliminated, and their order.
template <class S>
struct path_values {
  using value_type = typename S::value_type;
  using lane = host::lane_operations<S, 0>;

  S semiring;
  value_type one;        ///< The empty path.
  value_type none;       ///< No path.
  value_type none_from;  ///< A value that is not better than this one means that there is no path.
  value_type floor;      ///< Values are not below it, if the semiring has a floor.

  value_type times(const value_type& a, const value_type& b) const {
    return above_floor(lane::times(semiring, a, b));
  }
  value_type above_floor(const value_type& x) const {
    if constexpr (host::has_floor<S>) {
      return x < floor ? floor : x;
    } else {
      return x;
    }
  }
  value_type plus(const value_type& x, const value_type& best) const {
    return lane::plus(semiring, x, best);
  }
  bool is_better(const value_type& a, const value_type& b) const {
    return lane::improves(semiring, a, b);
  }
  bool is_path(const value_type& x) const { return is_better(x, none_from); }
};

/// True if value a with number i comes before b with j: better values first, and smaller numbers
/// first if neither is better.
template <class S, class T = typename S::value_type>
bool comes_first(const path_values<S>& values, const T& a, std::size_t i, const T& b,
                 std::size_t j) {
  if (values.is_better(a, b)) return true;
  return !values.is_better(b, a) && i < j;
}

/// Sorts values with numbers by `comes_first`.
template <class S>
void sort_best_first(const path_values<S>& values,
                     std::vector<std::pair<typename S::value_type, std::size_t>>& numbered) {
  std::sort(numbered.begin(), numbered.end(), [&](const auto& a, const auto& b) {
    return comes_first(values, a.first, a.second, b.first, b.second);
  });
}

/// The values of @p semiring, as they are.
template <class S>
path_values<S> values_of(const S& semiring) {
  return {semiring, semiring.one, semiring.zero, semiring.zero, semiring.zero};
}

/// Lengths of paths in code @p code.
template <class C>
path_values<min_plus<C>> sums_in(const distance_code<C>& code) {
  return {{}, C{}, code.unreachable, code.unreachable_from, code.floor};
}

}  // namespace apsp::inline v1::detail
