// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../../../apsp/config.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../values/not_a_number.hpp"
#include "../../values/weight_types.hpp"
#include "../row_record.hpp"
#include "amount_loop.hpp"

// The inner loops that sum distances. Like the tile kernels it is compiled once per
// instruction set, with the compiler flags for it, so it calls no function that another translation
// unit could also emit.
namespace apsp::inline v1::detail::host {

/// Entries of a row that are summed at once: sums of 32-bit integers are still exact in double, and
/// the entries stay in the first-level cache for the search of the farthest one.
inline constexpr std::size_t segment_size = 1024;

/// The totals of at most `segment_size` entries of a row.
template <class T>
struct segment_totals {
  T largest;  ///< The lowest value of T if no entry is reached.
  std::int32_t num_reached;
  bool has_nan;
  row_sum_t<T> sum;
  double inverse_sum;
};

/// Distances above @p limit do not count as reached.
template <class T>
struct segment_kernels {
  /// Sums @p size distances of one row.
  void (*sum_row)(const T* distances, std::size_t size, T limit, segment_totals<T>& totals);
  /// Sums @p size distances of each of several rows, which are stored side by side. They contain no
  /// NaN.
  /// @param num_rows  a multiple of 64 bytes / sizeof(T) for the types of the library.
  /// @param totals    of each row.
  void (*sum_rows)(const T* distances, std::size_t size, std::size_t num_rows, T limit,
                   segment_totals<T>* totals);
  /// Adds up the amounts of @p size entries of a row, times their shares, unless @p shares is null.
  void (*add_amounts)(const T* distances, const double* shares, std::size_t size,
                      const added_amounts<T>* wanted, std::size_t num_wanted);
  /// The same for rows as in `sum_rows`.
  void (*add_amounts_of_rows)(const T* distances, const double* shares, std::size_t size,
                              std::size_t num_rows, const added_amounts<T>* wanted,
                              std::size_t num_wanted);
};

/// The loops for vectors of `VectorBytes` bytes, or one entry at a time if that is 0.
///
/// The order of additions does not depend on the vector size: entry i of a row is added in lane i
/// mod num_lanes, and lanes are added in one order. So every instruction set gives bitwise
/// identical results.
///
/// Divisions take longest, so inverses are added as fractions: four of them take one division.
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
  // The rows that are compared at once.
  static constexpr std::size_t row_width =
      is_vector ? VectorBytes / static_cast<int>(sizeof(T)) : 1;
  using row_vec = typename vector_of<T, VectorBytes>::type;
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
  static constexpr segment_kernels<T> table() {
    using amounts = amount_loop<T, VectorBytes>;
    return {sum_row, sum_rows, amounts::add_row, amounts::add_rows};
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

    void store(std::size_t lane, const vector_totals& totals) {
      __builtin_memcpy(largest + lane, &totals.largest, sizeof totals.largest);
      __builtin_memcpy(sum + lane, &totals.sum, sizeof totals.sum);
      __builtin_memcpy(low_sum + lane, &totals.low_sum, sizeof totals.low_sum);
      __builtin_memcpy(num_reached + lane, &totals.num_reached, sizeof totals.num_reached);
      __builtin_memcpy(has_nan + lane, &totals.has_nan, sizeof totals.has_nan);
      __builtin_memcpy(inverse_sum + lane, &totals.inverse_sum, sizeof totals.inverse_sum);
    }
  };

  static void sum_row(const T* distances, std::size_t size, T limit, segment_totals<T>& totals) {
    const std::size_t whole = size / num_lanes * num_lanes;
    T rest[num_lanes];
    for (std::size_t l = 0; l < num_lanes; ++l) {
      rest[l] = whole + l < size ? distances[whole + l] : unreachable<T>;
    }
    lane_totals lanes;
    for (std::size_t l = 0; l < num_lanes; l += width) {
      vector_totals mine = no_totals();
      add_all(distances + l, whole / num_lanes, num_lanes, limit, mine);
      if (whole < size) add_all(rest + l, 1, num_lanes, limit, mine);
      lanes.store(l, mine);
    }
    add_lanes(lanes, totals);
  }

  static void sum_rows(const T* distances, std::size_t size, std::size_t num_rows, T limit,
                       segment_totals<T>* totals) {
    for (std::size_t first = 0; first < num_rows; first += row_width) {
      T largest[row_width];
      const bool is_common =
          !is_wide_integer && find_largest(distances + first, size, num_rows, limit, largest);
      for (std::size_t r = first; r < first + row_width; r += width) {
        vector_totals mine = no_totals();
        if (is_common) {
          add_common(distances + r, size, num_rows, mine);
        } else {
          add_all(distances + r, size, num_rows, limit, mine);
        }
        lane_totals lanes;
        lanes.store(0, mine);
        for (std::size_t l = 0; l < width; ++l) {
          segment_totals<T>& row = totals[r + l];
          row.num_reached = static_cast<std::int32_t>(is_common ? static_cast<std::int64_t>(size)
                                                                : lanes.num_reached[l]);
          row.largest = is_common             ? largest[r - first + l]
                        : row.num_reached > 0 ? static_cast<T>(lanes.largest[l])
                                              : lowest_distance;
          row.has_nan = lanes.has_nan[l] != 0;
          row.sum = whole_sum(lanes.sum[l], lanes.low_sum[l]);
          row.inverse_sum = lanes.inverse_sum[l];
        }
      }
    }
  }

  // The largest entry of each of `row_width` rows; true if all entries are above 0 and reached.
  static bool find_largest(const T* distances, std::size_t size, std::size_t num_rows, T limit,
                           T* largest) {
    auto most = broadcast<row_vec>(lowest_distance);
    auto least = broadcast<row_vec>(limit);
    for (std::size_t i = 0; i < size; ++i) {
      row_vec x;
      __builtin_memcpy(&x, distances + i * num_rows, sizeof x);
      most = x > most ? x : most;
      least = x < least ? x : least;
    }
    __builtin_memcpy(largest, &most, sizeof most);
    T smallest[row_width];
    __builtin_memcpy(smallest, &least, sizeof least);
    bool is_common = true;
    for (std::size_t l = 0; l < row_width; ++l) {
      is_common = is_common && T{} < smallest[l] && largest[l] <= limit;
    }
    return is_common;
  }

  template <class Vec, class Entry>
  static Vec broadcast(const Entry& x) {
    if constexpr (is_vector) {
      return x - Vec{};
    } else {
      return x;
    }
  }
  // The entries one after another, from which compilers make one conversion of a vector.
  static value_vec load(const T* distances) {
    entry_vec entries;
    __builtin_memcpy(&entries, distances, sizeof entries);
    if constexpr (is_vector) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return value_vec{static_cast<value>(entries[I])...};
      }(std::make_index_sequence<width>{});
    } else {
      return static_cast<value>(entries);
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

  static vector_totals no_totals() {
    vector_totals totals{};
    totals.largest = broadcast<value_vec>(lowest_value);
    return totals;
  }

  // The entries of products of four values of the other types stay in the range of double.
  static constexpr bool takes_fractions = std::is_integral_v<T> || sizeof(T) < sizeof(double);
  static constexpr std::size_t group_size = takes_fractions ? 4 : 1;
  struct fraction {
    double_vec numerator;
    double_vec denominator;
  };

  // Adds @p count vectors, which are @p stride entries apart. Inlined, GCC would keep the sums in
  // memory.
  [[gnu::noinline]] static void add_all(const T* distances, std::size_t count, std::size_t stride,
                                        T limit, vector_totals& totals) {
    const auto reached_up_to = broadcast<value_vec>(static_cast<value>(limit));
    vector_totals sums = totals;
    for (std::size_t i = 0; i < count;) {
      const std::size_t end = count - i < group_size ? count : i + group_size;
      fraction inverses{};
      inverses.denominator = broadcast<double_vec>(1.0);
      for (; i < end; ++i) add(distances + i * stride, reached_up_to, sums, inverses);
      sums.inverse_sum += inverses.numerator / inverses.denominator;
    }
    totals = sums;
  }

  // The same for entries above 0 that are all reached; without their number and the largest.
  [[gnu::noinline]] static void add_common(const T* distances, std::size_t count,
                                           std::size_t stride, vector_totals& totals) {
    value_vec sum{};
    double_vec inverse_sum{};
    for (std::size_t i = 0; i < count;) {
      const std::size_t end = count - i < group_size ? count : i + group_size;
      fraction inverses{};
      inverses.denominator = broadcast<double_vec>(1.0);
      for (; i < end; ++i) {
        const value_vec x = load(distances + i * stride);
        sum += x;
        add_inverse(convert<double_vec>(x), inverses.denominator, inverses);
      }
      inverse_sum += inverses.numerator / inverses.denominator;
    }
    totals.sum = sum;
    totals.inverse_sum = inverse_sum;
  }

  static void add(const T* distances, const value_vec& limit, vector_totals& totals,
                  fraction& inverses) {
    const value_vec x = load(distances);
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
    auto has_inverse = is_reached & (x != value_vec{});
    // The inverse of minus infinity is 0.
    if constexpr (std::is_floating_point_v<T>) has_inverse = has_inverse & (x >= lowest_value);
    add_inverse(has_inverse ? convert<double_vec>(x) : broadcast<double_vec>(1.0),
                has_inverse ? inverses.denominator : double_vec{}, inverses);
  }

  // Adds 1 / x, where @p denominator is that of the fraction, or 0, where it is 0 and x is 1.
  static void add_inverse(const double_vec& x, const double_vec& denominator, fraction& inverses) {
    inverses.numerator = inverses.numerator * x + denominator;
    inverses.denominator *= x;
  }

  static row_sum_t<T> whole_sum(value sum, [[maybe_unused]] std::uint64_t low_sum) {
    auto whole = static_cast<row_sum_t<T>>(sum);
    if constexpr (is_wide_integer) {
      whole = whole * (row_sum_t<T>{1} << 32) + static_cast<row_sum_t<T>>(low_sum);
    }
    return whole;
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
    totals.sum = whole_sum(sum[0], low_sum);
  }
};

/// The library's loops for the best instruction set of this processor.
template <class T>
APSP_EXPORT const segment_kernels<T>& compiled_segment_kernels();

#define APSP_DECLARE_SEGMENT_KERNELS(T) \
  template <>                           \
  APSP_EXPORT const segment_kernels<T>& compiled_segment_kernels<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_SEGMENT_KERNELS)
#undef APSP_DECLARE_SEGMENT_KERNELS

/// The loops for distances of type T: from the library, or compiled here for a type that the
/// library lacks.
template <class T>
const segment_kernels<T>& choose_segment_kernels() {
  if constexpr (has_compiled_kernels<T>) {
    return compiled_segment_kernels<T>();
  } else {
    static constexpr segment_kernels<T> plain = segment_loop<T, 0>::table();
    return plain;
  }
}

// Tables of loops per instruction set, each defined in the file that is compiled for it.
template <class T>
struct baseline_segments {
  static const segment_kernels<T> table;
};
template <class T>
struct avx2_segments {
  static const segment_kernels<T> table;
};
template <class T>
struct avx512_segments {
  static const segment_kernels<T> table;
};

#define APSP_DECLARE_SEGMENTS(T)                        \
  template <>                                           \
  const segment_kernels<T> baseline_segments<T>::table; \
  template <>                                           \
  const segment_kernels<T> avx2_segments<T>::table;     \
  template <>                                           \
  const segment_kernels<T> avx512_segments<T>::table;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_SEGMENTS)
#undef APSP_DECLARE_SEGMENTS

/// Adds a segment to the totals of its row.
/// @param is_ahead  true if some vertices of @p record may come after those of the segment.
/// @param find      returns the first vertex of the segment at a given distance.
template <class T, class Find>
void add_segment(const segment_totals<T>& segment, bool is_ahead, Find find,
                 row_record<T>& record) {
  static_assert(num_totals == 6, "segment_totals has each total, and segment_loop computes it");
  row_record<T> part{segment.largest,         -1,          segment.num_reached,
                     segment.has_nan ? 1 : 0, segment.sum, segment.inverse_sum};
  if (part.num_reached > 0) {
    // Searched only if it may become the farthest vertex of the row.
    const bool is_farther = record.farthest < 0 || record.largest < part.largest ||
                            (is_ahead && !(part.largest < record.largest));
    if (is_farther) part.farthest = find(part.largest);
  }
  record.add(part);
}

}  // namespace apsp::inline v1::detail::host
