// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../apsp/semiring.hpp"
#include "../matrix/row_record.hpp"
#include "../values/not_a_number.hpp"

namespace apsp::inline v1::detail {

/// The counts that follow the bins of a histogram.
enum class extra_count : std::size_t { below, above, unreachable, not_a_number };
inline constexpr std::size_t num_extra_counts = 4;

/// The bin of a distance. Host and device compute the same bin.
template <class T>
struct bin_rule {
  T first;
  T width;
  std::size_t num_bins;
  const T* edges;  ///< num_bins + 1 of them; null if bins have equal width.

  std::size_t num_counts() const { return num_bins + num_extra_counts; }

  APSP_HOST_DEVICE std::size_t place(extra_count what) const {
    return num_bins + static_cast<std::size_t>(what);
  }
  /// The index of the count of a distance.
  /// @param limit  the largest distance that counts as reached.
  APSP_HOST_DEVICE std::size_t place(const T& distance, const T& limit) const {
    if (is_nan(distance)) return place(extra_count::not_a_number);
    if (!(distance <= limit)) return place(extra_count::unreachable);
    return edges != nullptr ? place_by_edges(distance) : place_by_width(distance);
  }

 private:
  APSP_HOST_DEVICE std::size_t place_by_width(const T& distance) const {
    if (distance < first) return place(extra_count::below);
    if constexpr (std::is_integral_v<T> && sizeof(T) > 4) {
      // The difference of two numbers of any sign, without overflow.
      const std::uint64_t offset =
          static_cast<std::uint64_t>(distance) - static_cast<std::uint64_t>(first);
      // A division takes longer than all other steps.
      const std::uint64_t bin = width == 1 ? offset : offset / static_cast<std::uint64_t>(width);
      return bin < num_bins ? static_cast<std::size_t>(bin) : place(extra_count::above);
    } else {
      // Exact for integers, too: for numbers below 2^32, a quotient that is not an integer differs
      // from the next integer by more than the rounding error of double.
      using real = std::conditional_t<(sizeof(T) <= 8), double, T>;
      const real bin =
          (static_cast<real>(distance) - static_cast<real>(first)) / static_cast<real>(width);
      return bin < static_cast<real>(num_bins) ? static_cast<std::size_t>(bin)
                                               : place(extra_count::above);
    }
  }
  APSP_HOST_DEVICE std::size_t place_by_edges(const T& distance) const {
    // The number of edges that are not above the distance.
    std::size_t begin = 0;
    for (std::size_t size = num_bins + 1; size > 0;) {
      // The same steps for every distance: a branch that depends on the distance is predicted
      // poorly.
      const std::size_t half = size - size / 2;
      begin += edges[begin + half - 1] <= distance ? half : 0;
      size -= half;
    }
    if (begin == 0) return place(extra_count::below);
    return begin <= num_bins ? begin - 1 : place(extra_count::above);
  }
};

}  // namespace apsp::inline v1::detail
