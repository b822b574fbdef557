// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../../apsp/config.hpp"
#include "../../values/decay.hpp"
#include "../../values/weight_types.hpp"
#include "constant_loop.hpp"

// The inner loop that finds how much amounts count at some distances. Like the tile kernels it is
// compiled once per instruction set, with the compiler flags for it, so it calls no function that
// another translation unit could also emit.
namespace apsp::inline v1::detail::host {

/// Entries whose shares are computed together, so that they stay in the first-level cache.
inline constexpr std::size_t entries_weighed_together = 1024;

template <class T>
struct decay_kernels {
  /// Computes `rule.share(d)` of @p count distances; of those without a path it is not specified.
  void (*find_shares)(const decay_rule& rule, const T* distances, std::size_t count,
                      double* shares);
};

/// The loops for vectors of `VectorBytes` bytes, or one entry at a time if that is 0. Shares are
/// rounded otherwise where products and sums are fused.
template <class T, int VectorBytes>
class decay_loop {
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
  using word_vec = typename vector_of<std::int64_t, VectorBytes>::type;

 public:
  static constexpr decay_kernels<T> table() { return {find_shares}; }

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
  template <class To, class From>
  [[gnu::always_inline]] static To bits_of(const From& x) {
    To bits;
    static_assert(sizeof bits == sizeof x);
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
  }

  // sum of coefficients[i] x^i, the highest power first.
  template <std::size_t Count>
  [[gnu::always_inline]] static double_vec polynomial(const double_vec& x,
                                                      const double (&coefficients)[Count]) {
    double_vec sum = all(coefficients[0]);
    for_each_constant<Count - 1>([&](auto i) __attribute__((always_inline)) {
      sum = sum * x + coefficients[i + 1];
    });
    return sum;
  }

  // e^x within 2 units in the last place; 0 below the range of x, and e^709 above it.
  [[gnu::always_inline]] static double_vec exponential(const double_vec& given) {
    constexpr decay_exponents of{};
    double_vec x = given < of.least ? all(of.least) : given;
    x = x > of.most ? all(of.most) : x;
    const double_vec shifted = x * of.log2_of_e + of.shift;
    const double_vec k = shifted - of.shift;
    const double_vec r = (x - k * of.log_of_2) - k * of.log_of_2_low;
    const word_vec bits = bits_of<word_vec>(polynomial(r, of.coefficients));
    const word_vec exponent = bits_of<word_vec>(shifted) << 52;
    const double_vec result = bits_of<double_vec>(static_cast<word_vec>(bits + exponent));
    return given < of.least ? double_vec{} : result;
  }

  // ln x for normal x > 0, within 2 units in the last place of the larger of 1 and the result.
  // Source: x = 2^k m, ln m = 2 artanh s, s = (m - 1) / (m + 1), and a minimax polynomial of degree
  // 6 in s^2.
  [[gnu::always_inline]] static double_vec logarithm(const double_vec& x) {
    constexpr std::int64_t root_of_half = 0x3fe6a09e667f3bcd;
    const word_vec from_root = bits_of<word_vec>(x) - root_of_half;
    const word_vec exponent = from_root >> 52;
    const word_vec fraction = (from_root & 0xfffffffffffff) + root_of_half;
    const double_vec m = bits_of<double_vec>(fraction);
    // Small integers as double without a conversion of 64 bits.
    constexpr double shift = 0x1.8p52;
    const word_vec shifted = exponent + bits_of<std::int64_t>(shift);
    const double_vec k = bits_of<double_vec>(shifted) - shift;
    const double_vec s = (m - 1.0) / (m + 1.0);
    const double_vec square = s * s;
    constexpr double coefficients[] = {
        0x1.2b5b3cd20f715p-4, 0x1.39fe1f2cf3b42p-4, 0x1.7462b6c85a34dp-4, 0x1.c71c62dd6bb96p-4,
        0x1.2492492df8420p-3, 0x1.999999999529cp-3, 0x1.5555555555558p-2};
    const double_vec sum = polynomial(square, coefficients);
    return k * 0x1.62e42fefa39efp-1 + 2.0 * (s + s * square * sum);
  }

  static void find_shares(const decay_rule& rule, const T* distances, std::size_t count,
                          double* shares) {
    switch (rule.kind) {
      case decay_kind::step:
        return for_each_share(distances, count, shares, [](const double_vec&) { return all(1); });
      case decay_kind::exponential:
        return for_each_share(
            distances, count,
            shares, [rate = -rule.parameter](const double_vec& d) __attribute__((always_inline)) {
              return exponential(rate * d);
            });
      case decay_kind::power:
        return for_each_share(
            distances, count, shares,
            [ b = -rule.parameter, nearest = rule.nearest ](const double_vec& d)
                __attribute__((always_inline)) {
                  const double_vec x = d < nearest ? all(nearest) : d;
                  constexpr double least = 0x1p-1022;
                  const double_vec normal = x < least ? all(least) : x;
                  const double_vec share = exponential(b * logarithm(normal));
                  return x > 0.0 ? share : double_vec{};
                });
      case decay_kind::linear:
        return for_each_share(
            distances, count,
            shares, [slope = rule.parameter](const double_vec& d) __attribute__((always_inline)) {
              const double_vec left = 1.0 - d * slope;
              return left > 0.0 ? left : double_vec{};
            });
      case decay_kind::gaussian:
        return for_each_share(
            distances, count,
            shares, [scale = rule.parameter](const double_vec& d) __attribute__((always_inline)) {
              const double_vec x = d * scale;
              return exponential(-0.5 * x * x);
            });
    }
  }
  template <class F>
  [[gnu::always_inline]] static void for_each_share(const T* distances, std::size_t count,
                                                    double* shares, F f) {
    std::size_t i = 0;
    for (; i + width <= count; i += width) {
      store(shares + i, f(to_double(load_values(distances + i))));
    }
    if (i == count) return;
    T rest[width] = {};
    for (std::size_t l = 0; i + l < count; ++l) rest[l] = distances[i + l];
    double found[width];
    store(found, f(to_double(load_values(rest))));
    for (std::size_t l = 0; i + l < count; ++l) shares[i + l] = found[l];
  }
  [[gnu::always_inline]] static double_vec to_double(const value_vec& x) {
    if constexpr (is_vector) {
      return __builtin_convertvector(x, double_vec);
    } else {
      return static_cast<double>(x);
    }
  }
};

/// The library's loops for the best instruction set of this processor.
template <class T>
APSP_EXPORT const decay_kernels<T>& compiled_decay_kernels();

#define APSP_DECLARE_DECAY_KERNELS(T) \
  template <>                         \
  APSP_EXPORT const decay_kernels<T>& compiled_decay_kernels<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_DECAY_KERNELS)
#undef APSP_DECLARE_DECAY_KERNELS

/// The loops for distances of type T: from the library, or compiled here for a type that the
/// library lacks.
template <class T>
const decay_kernels<T>& choose_decay_kernels() {
  if constexpr (has_compiled_kernels<T>) {
    return compiled_decay_kernels<T>();
  } else {
    static constexpr decay_kernels<T> plain = decay_loop<T, 0>::table();
    return plain;
  }
}

// Tables of loops per instruction set, each defined in the file that is compiled for it.
template <class T>
struct baseline_decays {
  static const decay_kernels<T> table;
};
template <class T>
struct avx2_decays {
  static const decay_kernels<T> table;
};
template <class T>
struct avx512_decays {
  static const decay_kernels<T> table;
};

#define APSP_DECLARE_DECAYS(T)                      \
  template <>                                       \
  const decay_kernels<T> baseline_decays<T>::table; \
  template <>                                       \
  const decay_kernels<T> avx2_decays<T>::table;     \
  template <>                                       \
  const decay_kernels<T> avx512_decays<T>::table;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_DECAYS)
#undef APSP_DECLARE_DECAYS

}  // namespace apsp::inline v1::detail::host
