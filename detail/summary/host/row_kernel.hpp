// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../matrix/row_record.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight_types.hpp"

// The inner loop that sums rows of distances. Like the tile kernels it is compiled once per
// instruction set, with the compiler flags for it, so it calls no function that another translation
// unit could also emit.
namespace apsp::detail::host {

/// Entries that are summed at once: sums of 32-bit integers are still exact in double, and the
/// entries stay in the first-level cache for the search of the farthest one.
inline constexpr std::size_t segment_size = 1024;

/// The totals of a segment of a row.
template <class T>
struct segment_totals {
  T largest;  ///< The lowest value of T if no entry is reached.
  std::int32_t num_reached;
  bool has_nan;
  row_sum_t<T> sum;
  double inverse_sum;
};

/// Sums @p size distances, at most `segment_size`; those above @p limit do not count as reached.
template <class T>
using segment_function = void (*)(const T* distances, std::size_t size, T limit,
                                  segment_totals<T>& totals);

/// The loop for vectors of `VectorBytes` bytes, or one entry at a time if that is 0.
///
/// The number of lanes does not depend on the vector size: entry i is added in lane i mod
/// num_lanes, and lanes are added in one order. So every instruction set gives bitwise identical
/// results.
template <class T, int VectorBytes>
class segment_loop {
  static constexpr std::size_t num_lanes = 16;

  static constexpr bool is_vector = VectorBytes != 0;
  static constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) == 8;
  // The type of the computations: all vectors then have as many lanes as a vector of double.
  using value = std::conditional_t<is_wide_integer || (sizeof(T) > 8), T, double>;
  static constexpr std::size_t width =
      is_vector ? VectorBytes / static_cast<int>(sizeof(double)) : 1;
  static constexpr std::size_t vector_count = num_lanes / width;

  template <class Entry, int Bytes>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(Bytes)));
  };
  template <class Entry>
  struct vector_of<Entry, 0> {
    using type = Entry;
  };
  using entry_vec =
      typename vector_of<T, is_vector ? static_cast<int>(width * sizeof(T)) : 0>::type;
  using value_vec = typename vector_of<value, VectorBytes>::type;
  using double_vec = typename vector_of<double, VectorBytes>::type;
  using mask_vec = typename vector_of<std::int64_t, VectorBytes>::type;
  using word_vec = typename vector_of<std::uint64_t, VectorBytes>::type;

  // Constants, because without optimization a call would refer to a function that other files also
  // emit.
  static constexpr value lowest_value = std::numeric_limits<value>::lowest();
  static constexpr T lowest_distance = std::numeric_limits<T>::lowest();

 public:
  static void run(const T* distances, std::size_t size, T limit, segment_totals<T>& totals) {
    const std::size_t whole = size / num_lanes * num_lanes;
    T rest[num_lanes];
    for (std::size_t l = 0; l < num_lanes; ++l) {
      rest[l] = whole + l < size ? distances[whole + l] : unreachable<T>;
    }
    lane_totals lanes;
    for (std::size_t v = 0; v < vector_count; ++v) {
      vector_totals mine{broadcast<value_vec>(lowest_value), {}, {}, {}, {}, {}};
      const auto reached_up_to = broadcast<value_vec>(static_cast<value>(limit));
      for (std::size_t i = v * width; i < whole; i += num_lanes) {
        add(distances + i, reached_up_to, mine);
      }
      if (whole < size) add(rest + v * width, reached_up_to, mine);
      __builtin_memcpy(lanes.largest + v * width, &mine.largest, sizeof mine.largest);
      __builtin_memcpy(lanes.num_reached + v * width, &mine.num_reached, sizeof mine.num_reached);
      __builtin_memcpy(lanes.has_nan + v * width, &mine.has_nan, sizeof mine.has_nan);
      __builtin_memcpy(lanes.sum + v * width, &mine.sum, sizeof mine.sum);
      __builtin_memcpy(lanes.low_sum + v * width, &mine.low_sum, sizeof mine.low_sum);
      __builtin_memcpy(lanes.inverse_sum + v * width, &mine.inverse_sum, sizeof mine.inverse_sum);
    }
    add_lanes(lanes, totals);
  }

 private:
  struct vector_totals {
    value_vec largest;
    value_vec sum;     ///< For 64-bit integers: the sum of their upper halves.
    word_vec low_sum;  ///< The sum of their lower halves.
    mask_vec num_reached;
    mask_vec has_nan;
    double_vec inverse_sum;
  };
  struct lane_totals {
    value largest[num_lanes];
    value sum[num_lanes];
    std::uint64_t low_sum[num_lanes];
    std::int64_t num_reached[num_lanes];
    std::int64_t has_nan[num_lanes];
    double inverse_sum[num_lanes];
  };

  template <class Vec, class Entry>
  static Vec broadcast(const Entry& x) {
    if constexpr (is_vector) {
      return x - Vec{};
    } else {
      return x;
    }
  }
  template <class To, class From>
  static To convert(const From& x) {
    if constexpr (is_vector) {
      return __builtin_convertvector(x, To);
    } else {
      return static_cast<To>(x);
    }
  }

  static void add(const T* distances, const value_vec& limit, vector_totals& totals) {
    entry_vec entries;
    __builtin_memcpy(&entries, distances, sizeof entries);
    const auto x = convert<value_vec>(entries);
    const auto is_reached = x <= limit;
    const value_vec candidate = is_reached ? x : totals.largest;
    totals.largest = candidate > totals.largest ? candidate : totals.largest;
    // A vector comparison is -1 if true, a scalar one is 1.
    if constexpr (is_vector) {
      totals.num_reached -= is_reached;
    } else {
      totals.num_reached += is_reached;
    }
    if constexpr (!is_vector) {
      totals.has_nan |= is_nan(x);
    } else if constexpr (std::is_floating_point_v<T>) {
      totals.has_nan |= x != x;
    }

    const value_vec counted = is_reached ? x : value_vec{};
    if constexpr (is_wide_integer) {
      constexpr std::uint64_t lower_half = 0xffffffff;
      totals.low_sum += convert<word_vec>(counted) & lower_half;
      totals.sum += counted >> 32;
    } else {
      totals.sum += counted;
    }
    // Entries that do not count are infinitely far: they add 0.
    const auto has_inverse = is_reached & (x != value_vec{});
    const double_vec divisor =
        has_inverse ? convert<double_vec>(x) : broadcast<double_vec>(unreachable<double>);
    totals.inverse_sum += 1.0 / divisor;
  }

  static void add_lanes(const lane_totals& lanes, segment_totals<T>& totals) {
    value largest = lanes.largest[0];
    std::int64_t num_reached = 0;
    std::int64_t has_nan = 0;
    for (std::size_t l = 0; l < num_lanes; ++l) {
      largest = lanes.largest[l] > largest ? lanes.largest[l] : largest;
      num_reached += lanes.num_reached[l];
      has_nan |= lanes.has_nan[l];
    }
    totals.largest = num_reached > 0 ? static_cast<T>(largest) : lowest_distance;
    totals.num_reached = static_cast<std::int32_t>(num_reached);
    totals.has_nan = has_nan != 0;
    value sum[num_lanes];
    double inverse_sum[num_lanes];
    std::uint64_t low_sum = 0;
    for (std::size_t l = 0; l < num_lanes; ++l) {
      sum[l] = lanes.sum[l];
      low_sum += lanes.low_sum[l];
      inverse_sum[l] = lanes.inverse_sum[l];
    }
    for (std::size_t half = num_lanes / 2; half > 0; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) {
        sum[l] += sum[l + half];
        inverse_sum[l] += inverse_sum[l + half];
      }
    }
    totals.inverse_sum = inverse_sum[0];
    totals.sum = static_cast<row_sum_t<T>>(sum[0]);
    if constexpr (is_wide_integer) {
      totals.sum = totals.sum * (row_sum_t<T>{1} << 32) + static_cast<row_sum_t<T>>(low_sum);
    }
  }
};

/// The library's loop for the best instruction set of this processor.
template <class T>
APSP_EXPORT segment_function<T> compiled_segment_function();

#define APSP_DECLARE_SEGMENT_FUNCTION(T) \
  template <>                            \
  APSP_EXPORT segment_function<T> compiled_segment_function<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_SEGMENT_FUNCTION)
#undef APSP_DECLARE_SEGMENT_FUNCTION

/// The loop for distances of type T: from the library, or compiled here for a type that the library
/// lacks.
template <class T>
segment_function<T> choose_segment_function() {
  if constexpr (has_compiled_kernels<T>) {
    return compiled_segment_function<T>();
  } else {
    return segment_loop<T, 0>::run;
  }
}

// One loop per instruction set, each defined in the file that is compiled for it.
template <class T>
struct baseline_segment {
  static const segment_function<T> function;
};
template <class T>
struct avx2_segment {
  static const segment_function<T> function;
};
template <class T>
struct avx512_segment {
  static const segment_function<T> function;
};

#define APSP_DECLARE_SEGMENTS(T)                           \
  template <>                                              \
  const segment_function<T> baseline_segment<T>::function; \
  template <>                                              \
  const segment_function<T> avx2_segment<T>::function;     \
  template <>                                              \
  const segment_function<T> avx512_segment<T>::function;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_SEGMENTS)
#undef APSP_DECLARE_SEGMENTS

}  // namespace apsp::detail::host
