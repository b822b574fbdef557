// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include "config.hpp"
#include "unreachable.hpp"

/// Marks a member function of a semiring that kernels also call: empty for a C++ compiler,
/// `__host__ __device__` for nvcc.
#ifdef __CUDACC__
#define APSP_HOST_DEVICE __host__ __device__
#else
#define APSP_HOST_DEVICE
#endif

namespace apsp::inline v1 {

template <class T>
struct min_plus;

namespace detail {
template <class S>
inline constexpr bool is_min_plus = false;
template <class T>
inline constexpr bool is_min_plus<min_plus<T>> = true;
}  // namespace detail

/// The meaning of "shortest path": `times` concatenates two paths, `plus` chooses between two
/// paths, `one` is the value of the empty path, and `zero` means that there is no path.
///
/// A semiring has
///
///  - `value_type`, which is default-constructible and has `==`, and is trivially copyable if
///    kernels use it;
///  - `zero` and `one`, constants of that type, usually `static constexpr` (but non-static if they
///    have class type and kernels use them);
///  - `plus(a, b)` and `times(a, b)`, const functions, usually static. Both are associative, `plus`
///    is commutative, and `times` distributes over `plus`; `plus(zero, a)` is a, `times(one, a)`
///    and `times(a, one)` are a, `times(zero, a)` and `times(a, zero)` are `zero`.
///
/// It declares its properties by members `static constexpr bool`, which are false if missing:
///
///  - `is_idempotent`: `plus(a, a)` is a. Relaxing twice is then harmless, and tiles may be relaxed
///    in any order. Floyd–Warshall and repeated squaring require it.
///  - `is_selective`: `plus(a, b)` is a or b. Then a best path exists and can be recorded.
///    Predecessors and the per-source algorithms require it. It implies `is_idempotent`.
///  - `is_commutative`: `times(a, b)` is `times(b, a)`, bit for bit. Half of the matrix of an
///    undirected graph is then sufficient.
///  - `cycles_never_improve`: `plus(one, a)` is `one` for every weight a. Then no path needs to
///    visit a vertex twice, and one pass over the pivots, or settling vertices in order, suffices.
///    `min_plus` is the exception: its negative cycles are detected while the algorithm runs.
///
/// If not every value is a weight, it also has a function `static bool admits(const value_type&)`,
/// which may be called with any value. A graph with a weight that is not admitted is rejected. A
/// lexicographic pair of criteria is a semiring only if the first is strict: shortest, then widest
/// is a semiring; widest, then shortest does not distribute. `min_plus` of any weight type is a
/// semiring.
/// Sources: Lehmann 1977; Mohri 2002.
template <class S>
concept semiring =
    detail::is_min_plus<S> || (std::equality_comparable<typename S::value_type> &&
                               std::default_initializable<typename S::value_type> &&
                               requires(const S& s, const typename S::value_type& a) {
                                 { s.zero } -> std::convertible_to<typename S::value_type>;
                                 { s.one } -> std::convertible_to<typename S::value_type>;
                                 { s.plus(a, a) } -> std::convertible_to<typename S::value_type>;
                                 { s.times(a, a) } -> std::convertible_to<typename S::value_type>;
                               });

/// The shortest path: weights are added, and the least sum is chosen. It is the default everywhere.
template <class T>
struct APSP_EXPORT min_plus {
  using value_type = T;
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr T zero = unreachable<T>;
  static constexpr T one = T{};

  APSP_HOST_DEVICE static constexpr T plus(const T& a, const T& b) { return b < a ? b : a; }
  /// `zero` absorbs; an integer sum that does not fit becomes the largest or the lowest value.
  APSP_HOST_DEVICE static constexpr T times(const T& a, const T& b) {
    if constexpr (std::numeric_limits<T>::has_infinity) {
      return a == zero || b == zero ? zero : a + b;
    } else {
      if (a == zero || b == zero) return zero;
      if constexpr (std::is_integral_v<T>) {
        if (T{} < b && (std::numeric_limits<T>::max)() - b < a) return zero;
        if (b < T{} && a < std::numeric_limits<T>::lowest() - b) {
          return std::numeric_limits<T>::lowest();
        }
      }
      return static_cast<T>(a + b);
    }
  }
};

/// The widest path: the width of a path is that of its narrowest edge, and the widest path is
/// chosen. `zero`, the least value, means that there is no path; the empty path has unbounded
/// width.
template <class T>
struct APSP_EXPORT max_min {
  using value_type = T;
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr bool is_commutative = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr T zero = detail::value_limits<T>::least;
  static constexpr T one = unreachable<T>;

  APSP_HOST_DEVICE static constexpr T plus(const T& a, const T& b) { return a < b ? b : a; }
  APSP_HOST_DEVICE static constexpr T times(const T& a, const T& b) { return b < a ? b : a; }
};

/// The bottleneck path: the value of a path is that of its largest edge, and the path of least
/// value is chosen. The dual of `max_min`.
template <class T>
struct APSP_EXPORT min_max {
  using value_type = T;
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr bool is_commutative = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr T zero = unreachable<T>;
  static constexpr T one = detail::value_limits<T>::least;

  APSP_HOST_DEVICE static constexpr T plus(const T& a, const T& b) { return b < a ? b : a; }
  APSP_HOST_DEVICE static constexpr T times(const T& a, const T& b) { return a < b ? b : a; }
};

/// The most reliable path: the weights, probabilities in [0, 1], are multiplied, and the largest
/// product is chosen.
template <class T>
struct APSP_EXPORT max_times {
  using value_type = T;
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr bool is_commutative = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr T zero = T{};
  static constexpr T one = T{1};

  APSP_HOST_DEVICE static constexpr T plus(const T& a, const T& b) { return a < b ? b : a; }
  APSP_HOST_DEVICE static constexpr T times(const T& a, const T& b) {
    return static_cast<T>(a * b);
  }
  /// With a weight above 1, a path could improve forever along a cycle. Branch-free, for loops over
  /// rows.
  APSP_HOST_DEVICE static constexpr bool admits(const T& w) { return !(w < zero) & !(one < w); }
};

/// Whether a path exists. Runs on bits, 64 vertices per word, for every kind of matrix.
struct APSP_EXPORT or_and {
  using value_type = bool;
  static constexpr bool is_idempotent = true;
  static constexpr bool is_selective = true;
  static constexpr bool is_commutative = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr bool zero = false;
  static constexpr bool one = true;

  APSP_HOST_DEVICE static constexpr bool plus(bool a, bool b) { return a || b; }
  APSP_HOST_DEVICE static constexpr bool times(bool a, bool b) { return a && b; }
};

namespace detail {

template <class S>
constexpr bool says_selective() {
  if constexpr (requires { S::is_selective; }) return S::is_selective;
  return false;
}
template <class S>
constexpr bool says_idempotent() {
  if constexpr (requires { S::is_idempotent; }) return S::is_idempotent;
  return says_selective<S>();
}
template <class S>
constexpr bool says_commutative() {
  if constexpr (requires { S::is_commutative; }) return S::is_commutative;
  return false;
}
template <class S>
constexpr bool says_cycles_never_improve() {
  if constexpr (requires { S::cycles_never_improve; }) return S::cycles_never_improve;
  return false;
}

/// True if @p semiring prefers a path of value @p a to one of value @p b.
template <class S>
constexpr bool is_better(const S& semiring, const typename S::value_type& a,
                         const typename S::value_type& b) {
  return !(a == b) && semiring.plus(a, b) == a;
}

}  // namespace detail

/// A semiring that declares an idempotent `plus`.
template <class S>
concept idempotent_semiring = semiring<S> && detail::says_idempotent<S>();
/// A semiring whose `plus` chooses one of two paths.
template <class S>
concept selective_semiring = semiring<S> && detail::says_selective<S>();
/// A semiring whose closure over all paths exists: no cycle improves a path, or, with `min_plus`, a
/// cycle that does is detected.
template <class S>
concept closed_semiring =
    idempotent_semiring<S> && (detail::says_cycles_never_improve<S>() || detail::is_min_plus<S>);

}  // namespace apsp::inline v1
