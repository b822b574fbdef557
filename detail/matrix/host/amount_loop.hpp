// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "constant_loop.hpp"

// The inner loops that add amounts up, of `row_kernel.hpp`.
namespace apsp::inline v1::detail::host {

/// What is added up: the amounts of the entries of a row, or of rows that are stored side by side.
template <class T>
struct added_amounts {
  const double* amounts;
  T limit;       ///< Only those at distances of at most this one.
  double* sums;  ///< One for each row.
};

/// The loops for vectors of `VectorBytes` bytes, or one entry at a time if that is 0. The amounts
/// of each row are added one after another, so the bits are the same in any case.
template <class T, int VectorBytes>
class amount_loop {
  static constexpr bool is_vector = VectorBytes != 0;
  static constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) == 8;
  // The type of the comparisons: all vectors then have as many lanes as a vector of double.
  using value = std::conditional_t<is_wide_integer || (sizeof(T) > 8), T, double>;
  static constexpr std::size_t width =
      is_vector ? VectorBytes / static_cast<int>(sizeof(double)) : 1;

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

 public:
  /// @param shares  each amount is multiplied by that of its entry; null: by 1.
  static void add_row(const T* distances, const double* shares, std::size_t size,
                      const added_amounts<T>* wanted, std::size_t num_wanted) {
    for (std::size_t j = 0; j < num_wanted; ++j) {
      const added_amounts<T> of = wanted[j];
      double sum = *of.sums;
      for (std::size_t i = 0; i < size; ++i) {
        const double amount = shares == nullptr ? of.amounts[i] : of.amounts[i] * shares[i];
        sum += distances[i] <= of.limit ? amount : 0;
      }
      *of.sums = sum;
    }
  }

  /// The same for rows that are stored side by side, as are their shares.
  static void add_rows(const T* distances, const double* shares, std::size_t size,
                       std::size_t num_rows, const added_amounts<T>* wanted,
                       std::size_t num_wanted) {
    // Sums that read the same distances; with fewer sums, more rows keep the adders busy.
    std::size_t i = 0;
    for (; i + 4 <= num_wanted; i += 4) {
      add_some<4>(distances, shares, size, num_rows, wanted + i);
    }
    for (; i + 2 <= num_wanted; i += 2) {
      add_some<2>(distances, shares, size, num_rows, wanted + i);
    }
    if (i < num_wanted) add_some<1>(distances, shares, size, num_rows, wanted + i);
  }

 private:
  template <class Vec, class Entry>
  [[gnu::always_inline]] static Vec load(const Entry* from) {
    Vec v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  template <class Vec, class Entry>
  [[gnu::always_inline]] static void store(Entry* to, const Vec& v) {
    __builtin_memcpy(to, &v, sizeof v);
  }
  [[gnu::always_inline]] static double_vec all(double x) {
    if constexpr (is_vector) {
      return x - double_vec{};
    } else {
      return x;
    }
  }
  // The entries one after another, from which compilers make one conversion of a vector.
  [[gnu::always_inline]] static value_vec load_values(const T* distances) {
    const auto entries = load<entry_vec>(distances);
    if constexpr (is_vector) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return value_vec{static_cast<value>(entries[I])...};
      }(std::make_index_sequence<width>{});
    } else {
      return static_cast<value>(entries);
    }
  }

  template <std::size_t Sums>
  static void add_some(const T* distances, const double* shares, std::size_t size,
                       std::size_t num_rows, const added_amounts<T>* wanted) {
    std::size_t first = 0;
    const auto add = [&]<std::size_t Count>(std::integral_constant<std::size_t, Count>)
        __attribute__((always_inline)) {
      for (; first + Count * width <= num_rows; first += Count * width) {
        if (shares == nullptr) {
          add_vectors<Sums, Count, false>(distances, nullptr, size, num_rows, first, wanted);
        } else {
          add_vectors<Sums, Count, true>(distances, shares, size, num_rows, first, wanted);
        }
      }
    };
    add(std::integral_constant<std::size_t, (Sums < 4 ? 4 : 2)>{});
    add(std::integral_constant<std::size_t, 1>{});
  }
  template <std::size_t Sums, std::size_t Count, bool HasShares>
  [[gnu::always_inline]] static void add_vectors(const T* distances, const double* shares,
                                                 std::size_t size, std::size_t num_rows,
                                                 std::size_t first,
                                                 const added_amounts<T>* wanted) {
    double_vec sums[Sums][Count];
    value_vec most[Sums];
    const double* amounts[Sums];
    for_each_constant<Sums>([&](auto j) __attribute__((always_inline)) {
      most[j] = static_cast<value>(wanted[j].limit) - value_vec{};
      amounts[j] = wanted[j].amounts;
      for_each_constant<Count>([&](auto v) __attribute__((always_inline)) {
        sums[j][v] = load<double_vec>(wanted[j].sums + first + v * width);
      });
    });
    for (std::size_t i = 0; i < size; ++i) {
      for_each_constant<Count>([&](auto v) __attribute__((always_inline)) {
        const std::size_t at = i * num_rows + first + v * width;
        const value_vec x = load_values(distances + at);
        for_each_constant<Sums>([&](auto j) __attribute__((always_inline)) {
          double_vec counted = all(amounts[j][i]);
          if constexpr (HasShares) counted *= load<double_vec>(shares + at);
          sums[j][v] += x <= most[j] ? counted : double_vec{};
        });
      });
    }
    for_each_constant<Sums>([&](auto j) __attribute__((always_inline)) {
      for_each_constant<Count>([&](auto v) __attribute__((always_inline)) {
        store(wanted[j].sums + first + v * width, sums[j][v]);
      });
    });
  }
};

}  // namespace apsp::inline v1::detail::host
