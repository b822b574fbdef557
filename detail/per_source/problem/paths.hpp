// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include "../../../apsp/semiring.hpp"
#include "../../values/distance_code.hpp"

// The path operations that the single-source algorithms need: how paths are extended and which one
// is better. One solver serves sums of weights and all semirings.
namespace apsp::inline v1::detail {

/// `start()` is the value of the empty path, `none()` that of a vertex without a path. `extend(d,
/// w, limit, through)` computes the value of a path d extended by an arc w; it returns false if
/// that cannot be computed, and the value is then beyond @p limit. `is_beyond(d, limit)`: a path of
/// value d does not count as a path. `keeps_order`: extending a path never makes it better, not
/// even by rounding.
template <class P>
concept path_algebra =
    requires(const P paths, const typename P::value_type& value, typename P::value_type& through) {
      { paths.start() } -> std::convertible_to<typename P::value_type>;
      { paths.none() } -> std::convertible_to<typename P::value_type>;
      { paths.extend(value, value, value, through) } -> std::same_as<bool>;
      { paths.is_better(value, value) } -> std::same_as<bool>;
      { paths.is_beyond(value, value) } -> std::same_as<bool>;
      { P::keeps_order } -> std::convertible_to<bool>;
    };

/// Lengths of paths in code C, as in `distance_code`; the shortest is the best. Paths longer than
/// the limit do not count.
///
/// For integers, either all weights are at least 0 and limit < max, or limit is max / 2 and neither
/// a distance nor a weight is below -max / 2: in both cases no sum wraps.
template <class C>
struct summed {
  using value_type = C;
  using semiring_type = min_plus<C>;
  /// Types of a program may round in ways of their own.
  static constexpr bool keeps_order = is_coded_integer<C> || std::is_floating_point_v<C>;

  static C start() { return C{}; }
  static C none() { return no_path<C>(); }
  static bool extend(const C& distance, const C& weight, [[maybe_unused]] const C& limit,
                     C& through) {
    if constexpr (is_coded_integer<C>) {
      if (!(weight <= limit - distance)) return false;
    }
    through = distance + weight;
    return true;
  }
  /// For integers `extend` has already tested this.
  static bool is_beyond(const C& distance, const C& limit) {
    return !is_coded_integer<C> && limit < distance;
  }
  static bool is_better(const C& a, const C& b) { return a < b; }
};

/// A semiring in which every pair of vertices has a best path among the paths without repeated
/// vertices. The single-source algorithms rely on it.
template <class S>
concept best_path_semiring = selective_semiring<S> && says_cycles_never_improve<S>();

/// Values of paths over such a semiring. Paths worse than the limit do not count.
template <best_path_semiring S>
struct joined {
  using value_type = typename S::value_type;
  using semiring_type = S;
  static constexpr bool keeps_order = false;

  S semiring;

  value_type start() const { return semiring.one; }
  value_type none() const { return semiring.zero; }
  bool extend(const value_type& value, const value_type& weight, const value_type&,
              value_type& through) const {
    through = semiring.times(value, weight);
    return true;
  }
  bool is_beyond(const value_type& value, const value_type& limit) const {
    return is_better(limit, value);
  }
  bool is_better(const value_type& a, const value_type& b) const {
    return detail::is_better(semiring, a, b);
  }
};

}  // namespace apsp::inline v1::detail
