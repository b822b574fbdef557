// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../apsp/config.hpp"
#include "../../values/weight_types.hpp"

// The loops over rows of distances that are kept in 16 bits for a while. Compiled once per
// instruction set, so it calls no function that another translation unit could also emit: see
// tile_kernel.hpp.
namespace apsp::inline v1::detail::host {

/// Lengths of paths, and weights, while a bound of the distances is searched for.
using root_length = std::int32_t;
/// The length if there is no path. The sum of two does not wrap.
inline constexpr root_length no_length = root_length{1} << 29;
/// Longer weights and lengths are cut to these values, which no bound below 2^15 contains.
inline constexpr root_length long_weight = root_length{1} << 24;
inline constexpr root_length long_length = root_length{1} << 27;

/// The largest 16-bit distance is `unreachable_half`.
using half_length = std::uint16_t;

/// What a pass over a row of a matrix finds.
struct row_findings {
  /// No weight is below zero, or a negative zero, or has a fraction unless it is long.
  bool are_whole = true;
  root_length heaviest = 0;
  root_length num_arcs = 0;
  root_length onwards = no_length;  ///< The least sum of a weight and the length from its target.
};

template <class T>
struct narrow_kernels {
  /// Relaxes the arcs of one vertex, for the lengths from a root and to it.
  /// @param no_arc     entries of at least this value are missing arcs.
  /// @param from_root  the length to the vertex, at most `long_length`, or `no_length`.
  row_findings (*relax_row)(const T* row, std::size_t n, T no_arc, root_length from_root,
                            root_length* from, const root_length* to);
  /// Rewrites the entries of a row in 16 bits, at the same address. Longer ones become @p most.
  void (*narrow_row)(void* row, std::size_t n, half_length most);
  /// The reverse. @p most becomes @p no_path.
  void (*widen_row)(void* row, std::size_t n, half_length most, T no_path);
  /// Makes a row of numbers of 24 bits, given their low 16 and their high 8 bits, or of 16 bits if
  /// @p high is null. The largest becomes @p no_path.
  void (*join_planes)(T* row, const half_length* low, const std::uint8_t* high, std::size_t n,
                      T no_path);
};

/// The loops, which the compiler vectorizes. @tparam VectorBytes makes a type for each instruction
/// set.
template <class T, int VectorBytes>
class narrow_loops {
 public:
  static constexpr narrow_kernels<T> table() {
    return {relax_row, narrow_row, widen_row, join_planes};
  }

 private:
  /// Entries that are read at a time; they stay in the first-level cache.
  static constexpr std::size_t block = 512;

  /// A number as an integer of the same order, unless it is below zero: comparisons of floats,
  /// which may signal, are not vectorized.
  using word = std::conditional_t<
      std::is_integral_v<T>, T,
      std::conditional_t<sizeof(T) == sizeof(std::int32_t), std::int32_t, std::int64_t>>;
  static word bits(T value) { return __builtin_bit_cast(word, value); }

  template <class V>
  static V lesser(V a, V b) {
    return b < a ? b : a;
  }
  template <class V>
  static V greater(V a, V b) {
    return a < b ? b : a;
  }

  static row_findings relax_row(const T* row, std::size_t n, T no_arc, root_length from_root,
                                root_length* from, const root_length* to) {
    root_length arcs[block];
    // Not members of the result: as far as the compiler knows, that may be one of the arrays.
    root_length differ = 0;
    root_length heaviest = 0;
    root_length num_arcs = 0;
    root_length onwards = no_length;
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t count = lesser(block, n - begin);
      for (std::size_t j = 0; j < count; ++j) {
        const word weight = bits(row[begin + j]);
        const word cut = greater(lesser(weight, bits(T(long_weight))), word{0});
        const auto whole = static_cast<root_length>(__builtin_bit_cast(T, cut));
        differ |= static_cast<root_length>(weight < 0) |
                  static_cast<root_length>(bits(static_cast<T>(whole)) != cut);
        arcs[j] = weight < bits(no_arc) ? whole : no_length;
      }
      for (std::size_t j = 0; j < count; ++j) {
        const root_length given = arcs[j] < no_length ? arcs[j] : 0;
        heaviest = heaviest < given ? given : heaviest;
        num_arcs += static_cast<root_length>(arcs[j] < no_length);
      }
      for (std::size_t j = 0; j < count; ++j) {
        const root_length through = to[begin + j] + arcs[j];
        onwards = through < onwards ? through : onwards;
      }
      if (from_root == no_length) continue;
      for (std::size_t j = 0; j < count; ++j) {
        from[begin + j] = lesser(from[begin + j], from_root + arcs[j]);
      }
    }
    return {differ == 0, heaviest, num_arcs, onwards};
  }

  // From the left if entries become narrower and from the right if they become wider, so that only
  // entries that have been read are overwritten.
  static void narrow_row(void* row, std::size_t n, half_length most) {
    auto* const bytes = static_cast<char*>(row);
    T given[block];
    half_length converted[block];
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t count = lesser(block, n - begin);
      __builtin_memcpy(given, bytes + begin * sizeof(T), count * sizeof(T));
      for (std::size_t j = 0; j < count; ++j) {
        const word cut = lesser(bits(given[j]), bits(T(most)));
        converted[j] =
            static_cast<half_length>(static_cast<root_length>(__builtin_bit_cast(T, cut)));
      }
      __builtin_memcpy(bytes + begin * sizeof(half_length), converted, count * sizeof(half_length));
    }
  }

  static void widen_row(void* row, std::size_t n, half_length most, T no_path) {
    auto* const bytes = static_cast<char*>(row);
    half_length given[block];
    word converted[block];
    for (std::size_t b = (n + block - 1) / block; b > 0; --b) {
      const std::size_t begin = (b - 1) * block;
      const std::size_t count = lesser(block, n - begin);
      __builtin_memcpy(given, bytes + begin * sizeof(half_length), count * sizeof(half_length));
      for (std::size_t j = 0; j < count; ++j) {
        converted[j] = bits(static_cast<T>(static_cast<root_length>(given[j])));
      }
      for (std::size_t j = 0; j < count; ++j) {
        converted[j] = given[j] < most ? converted[j] : bits(no_path);
      }
      __builtin_memcpy(bytes + begin * sizeof(T), converted, count * sizeof(T));
    }
  }

  static void join_planes(T* row, const half_length* low, const std::uint8_t* high, std::size_t n,
                          T no_path) {
    const root_length most = high == nullptr ? 0xffff : 0xffffff;
    root_length joined[block];
    word converted[block];
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t count = lesser(block, n - begin);
      for (std::size_t j = 0; j < count; ++j) joined[j] = low[begin + j];
      if (high != nullptr) {
        for (std::size_t j = 0; j < count; ++j) joined[j] |= root_length{high[begin + j]} << 16;
      }
      for (std::size_t j = 0; j < count; ++j) {
        converted[j] = bits(static_cast<T>(joined[j]));
      }
      for (std::size_t j = 0; j < count; ++j) {
        converted[j] = joined[j] < most ? converted[j] : bits(no_path);
      }
      __builtin_memcpy(row + begin, converted, count * sizeof(T));
    }
  }
};

/// The loops for the best instruction set of this processor.
template <class T>
APSP_EXPORT const narrow_kernels<T>& choose_narrow_kernels();

#define APSP_DECLARE_NARROW_KERNELS(T) \
  template <>                          \
  APSP_EXPORT const narrow_kernels<T>& choose_narrow_kernels<T>();
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_NARROW_KERNELS)
#undef APSP_DECLARE_NARROW_KERNELS

/// True if 16 bits are faster with that instruction set: without AVX2 x86 has no minimum of
/// unsigned 16-bit lanes.
APSP_EXPORT bool are_16_bits_faster();

// One table per instruction set, each defined in the file that is compiled for it.
template <class T>
struct baseline_narrow {
  static const narrow_kernels<T> table;
};
template <class T>
struct avx2_narrow {
  static const narrow_kernels<T> table;
};
template <class T>
struct avx512_narrow {
  static const narrow_kernels<T> table;
};

#define APSP_DECLARE_NARROW(T)                       \
  template <>                                        \
  const narrow_kernels<T> baseline_narrow<T>::table; \
  template <>                                        \
  const narrow_kernels<T> avx2_narrow<T>::table;     \
  template <>                                        \
  const narrow_kernels<T> avx512_narrow<T>::table;
APSP_FOR_EACH_WEIGHT_TYPE(APSP_DECLARE_NARROW)
#undef APSP_DECLARE_NARROW

}  // namespace apsp::inline v1::detail::host
