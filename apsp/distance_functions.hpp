// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include "semiring.hpp"

// Arguments for `distance_compare` and `distance_combine` of Boost.Graph's functions, for paths
// other than shortest paths. The functions in <apsp/boost_graph.hpp> run them as kernels.
namespace apsp::inline v1 {

/// The lesser of two values; the first one if they are equivalent. It takes the place of
/// `std::plus`: with `std::greater` it gives the widest path.
template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

/// The greater of two values; the first one if they are equivalent. With `std::less` it gives the
/// bottleneck path.
template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

/// The order of a selective semiring: true if `plus` chooses x over y.
template <selective_semiring S>
class distance_compare {
 public:
  using semiring_type = S;

  constexpr distance_compare() = default;
  constexpr explicit distance_compare(S semiring) : semiring_(std::move(semiring)) {}

  constexpr const S& semiring() const { return semiring_; }
  constexpr bool operator()(const typename S::value_type& x,
                            const typename S::value_type& y) const {
    return detail::is_better(semiring_, x, y);
  }

 private:
  S semiring_{};
};

/// `times` of a semiring: the value of the concatenation of two paths.
template <semiring S>
class distance_combine {
 public:
  using semiring_type = S;

  constexpr distance_combine() = default;
  constexpr explicit distance_combine(S semiring) : semiring_(std::move(semiring)) {}

  constexpr const S& semiring() const { return semiring_; }
  constexpr typename S::value_type operator()(const typename S::value_type& a,
                                              const typename S::value_type& b) const {
    return semiring_.times(a, b);
  }

 private:
  S semiring_{};
};

}  // namespace apsp::inline v1
