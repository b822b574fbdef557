// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../values/cutoff.hpp"
#include "../values/int128.hpp"
#include "../values/not_a_number.hpp"

namespace apsp::inline v1::detail {

/// The type in which the distances of one row are summed. A row has fewer than 2^31 of them, so
/// sums of integers are exact.
template <class T>
using row_sum_t = std::conditional_t<std::is_integral_v<T>,
                                     std::conditional_t<(sizeof(T) <= 4), std::int64_t, int128>,
                                     std::conditional_t<(sizeof(T) <= 8), double, T>>;

/// The largest distance that counts as reached: @p cutoff, or the largest value below
/// `unreachable`.
template <class T>
T largest_reached(std::optional<long double> cutoff) {
  constexpr T largest = std::is_floating_point_v<T> ? (std::numeric_limits<T>::max)()
                                                    : static_cast<T>(unreachable<T> - 1);
  const std::optional<T> limit = to_cutoff<T>(cutoff);
  return limit && *limit < largest ? *limit : largest;
}

/// 1 / @p x for a value of type T; in kernels within some units in the last place.
template <class T>
APSP_HOST_DEVICE double inverse(double x) {
#ifdef __CUDA_ARCH__
  // The approximation has about 20 bits, and a third of the error bits remain after one step.
  // Values of the other types, and products of a few of them, are not too large or too small for
  // it.
  if constexpr (!std::is_same_v<T, double>) {
    double y = 0;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double error = fma(-x, y, 1.0);
    return fma(y, fma(error, error, error), y);
  }
#endif
  return 1.0 / x;
}

/// The number of totals. What computes them elsewhere asserts it, so that the compiler names each
/// place where a total is missing.
inline constexpr int num_totals = 6;

/// The totals of a row, or of a part of it.
template <class T>
struct row_record {
  T largest{};
  std::int32_t farthest =
      -1;  ///< The first vertex at the largest distance; -1 if no vertex is reached.
  std::int32_t num_reached = 0;
  std::int32_t has_nan = 0;
  row_sum_t<T> sum{};
  double inverse_sum = 0;

  /// Adds the distance of vertex @p v.
  /// @param limit  `largest_reached` of the call.
  APSP_HOST_DEVICE void add(std::int32_t v, const T& distance, const T& limit) {
    if (is_nan(distance)) has_nan = 1;
    if (distance <= limit) add_if(true, v, distance);
  }
  /// Adds the distance of a vertex if it is reached; without branches, so that a thread can overlap
  /// this for several records.
  APSP_HOST_DEVICE void add_if(bool is_reached, std::int32_t v, const T& distance) {
    static_assert(num_totals == 6, "row_record::add_if adds to each total");
    const T reached = is_reached ? distance : T{};
    raise_if(is_reached, reached, v);
    num_reached += is_reached ? 1 : 0;
    sum += reached;
    // The inverse of minus infinity is 0.
    const bool has_inverse = (lowest <= reached && reached < T{}) || T{} < reached;
    inverse_sum += has_inverse ? inverse<T>(static_cast<double>(reached)) : 0;
  }
  /// Adds other vertices of the same row.
  APSP_HOST_DEVICE void add(const row_record& other) {
    static_assert(num_totals == 6, "row_record::add adds up each total");
    raise_if(other.farthest >= 0, other.largest, other.farthest);
    num_reached += other.num_reached;
    has_nan |= other.has_nan;
    sum += other.sum;
    inverse_sum += other.inverse_sum;
  }

 private:
  static constexpr T lowest = std::numeric_limits<T>::lowest();

  APSP_HOST_DEVICE void raise_if(bool is_reached, const T& distance, std::int32_t v) {
    const bool is_first = static_cast<int>(distance == largest) & static_cast<int>(v < farthest);
    const int is_farther = static_cast<int>(farthest < 0) | static_cast<int>(largest < distance) |
                           static_cast<int>(is_first);
    const bool is_raised = (static_cast<int>(is_reached) & is_farther) != 0;
    largest = is_raised ? distance : largest;
    farthest = is_raised ? v : farthest;
  }
};

/// The same totals in a type W, which holds them.
template <class W, class T>
row_record<W> record_as(const row_record<T>& record) {
  static_assert(num_totals == 6, "record_as converts each total");
  // Does not compile if there are more members.
  const auto& [largest, farthest, num_reached, has_nan, sum, inverse_sum] = record;
  return {static_cast<W>(largest),        farthest,   num_reached, has_nan,
          static_cast<row_sum_t<W>>(sum), inverse_sum};
}

}  // namespace apsp::inline v1::detail
