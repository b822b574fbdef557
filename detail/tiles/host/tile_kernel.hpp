// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../values/int128.hpp"
#include "../../values/kernel_semirings.hpp"

// The inner loops of the host policies. This header is compiled once per instruction set, with the
// compiler flags for it, so it calls no function that another translation unit could also emit: an
// `inline` function of the standard library compiled for AVX-512 could be the copy that the linker
// keeps for the whole program.
namespace apsp::inline v1::detail::host {

/// Entries of the caller's matrix: `height` rows from `rows` on, `width` columns from `column` on.
template <class T>
struct matrix_tile {
  std::size_t height;
  std::size_t width;
  const T* const* rows;
  std::size_t column;
};

/// A product of packed operands: a is m x depth, b depth x n, and c points to rows of the caller's
/// matrix, of which it is the n columns from `column` on.
template <class T>
struct tile_product {
  std::size_t m;
  std::size_t n;
  std::size_t depth;
  const T* a;
  const T* b;
  T* const* c;
  std::size_t column;
};

/// The predecessors of a product: those of c in the columns of c, and those of the rows of b from
/// `b_column` on.
struct tile_predecessors {
  std::int32_t* const* c;
  const std::int32_t* const* b;
  std::size_t b_column;
};

/// The inner loops for one semiring and one instruction set.
///
/// Operands are packed. a is m x depth, row-major, without gaps. b is depth x n in strips of
/// `strip_width` columns: strip s is depth x strip_width, row-major, without gaps; the last strip
/// is padded with arbitrary values.
template <class S>
struct tile_kernels {
  using T = typename S::value_type;

  const char* instruction_set;
  std::size_t strip_width;

  /// Packs a tile as an operand a. Entries below `floor` become `floor` if the semiring has one.
  void (*pack_rows)(const matrix_tile<T>& tile, const T& floor, T* packed);

  /// Packs it in the same way as an operand b, with `padding`.
  void (*pack_strips)(const matrix_tile<T>& tile, const T& floor, const T& padding, T* packed);

  /// c[i][column + j] = plus(c[i][column + j], times(a[i][k], b[k][j])) over all k, in order.
  void (*relax)(const S& semiring, const tile_product<T>& product);

  /// The same, but if an entry improves, its predecessor becomes that of the best k:
  /// predecessors.c[i][column + j] = predecessors.b[k][b_column + j].
  void (*relax_recording)(const S& semiring, const tile_product<T>& product,
                          const tile_predecessors& predecessors);

  /// Floyd–Warshall on one tile of size x size entries in rows of `stride` entries, a multiple of
  /// strip_width. Sums are clamped to `floor`. predecessors (of the same shape) may be null.
  void (*close)(const S& semiring, std::size_t size, std::size_t stride, T* tile, T floor,
                std::int32_t* predecessors);
};

/// True if sums of the semiring may have to be clamped to a floor.
template <class S>
inline constexpr bool has_floor = false;
template <class T>
inline constexpr bool has_floor<min_plus<T>> =
    std::is_same_v<T, int128> || (std::is_integral_v<T> && std::is_signed_v<T>);

/// The operations of a semiring on values, or lane by lane on vectors. Primary template: any
/// semiring, one value at a time.
template <class S, int VectorBytes>
struct lane_operations {
  static_assert(!has_library_kernels<S>,
                "a semiring of the library has lane operations of its own, in this file");
  static_assert(VectorBytes == 0);
  using T = typename S::value_type;

  static T times(const S& s, const T& a, const T& b) { return static_cast<T>(s.times(a, b)); }
  static bool improves(const S& s, const T& x, const T& best) {
    return !(static_cast<T>(s.plus(best, x)) == best);
  }
  static T plus(const S& s, const T& x, const T& best) { return static_cast<T>(s.plus(best, x)); }
};

// The named semirings, in the instructions of the processor. These are members of a class of the
// instruction set, and call no other functions, for the reason given above.

template <class T, int VectorBytes>
struct lane_operations<min_plus<T>, VectorBytes> {
  using S = min_plus<T>;

  template <class V>
  static V times(const S&, const V& a, const V& b) {
    // The library's own types are coded such that the plain sum is correct.
    if constexpr (VectorBytes != 0 || std::numeric_limits<T>::has_infinity ||
                  std::is_arithmetic_v<T> || std::is_same_v<T, int128>) {
      return static_cast<V>(a + b);
    } else {
      return a == unreachable<T> || b == unreachable<T> ? unreachable<T> : a + b;
    }
  }
  template <class V>
  static auto improves(const S&, const V& x, const V& best) {
    return x < best;
  }
  template <class V>
  static V plus(const S&, const V& x, const V& best) {
    return x < best ? x : best;
  }
};

template <class T, int VectorBytes>
struct lane_operations<min_max<T>, VectorBytes> {
  using S = min_max<T>;

  template <class V>
  static V times(const S&, const V& a, const V& b) {
    return a > b ? a : b;
  }
  template <class V>
  static auto improves(const S&, const V& x, const V& best) {
    return x < best;
  }
  template <class V>
  static V plus(const S&, const V& x, const V& best) {
    return x < best ? x : best;
  }
};

template <class T, int VectorBytes>
struct lane_operations<max_min<T>, VectorBytes> {
  using S = max_min<T>;

  template <class V>
  static V times(const S&, const V& a, const V& b) {
    return a < b ? a : b;
  }
  template <class V>
  static auto improves(const S&, const V& x, const V& best) {
    return x > best;
  }
  template <class V>
  static V plus(const S&, const V& x, const V& best) {
    return x > best ? x : best;
  }
};

template <class T, int VectorBytes>
struct lane_operations<max_times<T>, VectorBytes> {
  using S = max_times<T>;

  template <class V>
  static V times(const S&, const V& a, const V& b) {
    return static_cast<V>(a * b);
  }
  template <class V>
  static auto improves(const S&, const V& x, const V& best) {
    return x > best;
  }
  template <class V>
  static V plus(const S&, const V& x, const V& best) {
    return x > best ? x : best;
  }
};

/// The loops for vectors of `VectorBytes` bytes, or one entry at a time if that is 0.
template <class S, int VectorBytes>
class tile_loops {
  using T = typename S::value_type;
  using lane = lane_operations<S, VectorBytes>;
  static constexpr bool is_vector = VectorBytes != 0;

  template <class Entry, int Bytes>
  struct vector_of {
    typedef Entry type __attribute__((vector_size(Bytes)));
  };
  template <class Entry>
  struct vector_of<Entry, 0> {
    using type = Entry;
  };

  using vec = typename vector_of<T, VectorBytes>::type;
  // The index of the best k, in lanes as wide as those of the distances.
  using index = std::conditional_t<
      !is_vector || sizeof(T) == 4, std::int32_t,
      std::conditional_t<sizeof(T) == sizeof(std::int16_t), std::int16_t, std::int64_t>>;
  using index_vec = typename vector_of<index, VectorBytes>::type;

  static constexpr std::size_t lanes = is_vector ? VectorBytes / static_cast<int>(sizeof(T)) : 1;
  // The register tile: enough independent sums to hide the latency of one, in half of the
  // registers. Recording needs two registers per vector.
  static constexpr std::size_t row_count = 4;
  static constexpr std::size_t vector_count = VectorBytes == 64 ? 4 : 2;
  static constexpr std::size_t recording_row_count = VectorBytes == 64 ? 2 : 4;

 public:
  static constexpr std::size_t strip_width = vector_count * lanes;

  static constexpr tile_kernels<S> table(const char* instruction_set) {
    return {.instruction_set = instruction_set,
            .strip_width = strip_width,
            .pack_rows = pack_rows,
            .pack_strips = pack_strips,
            .relax = relax,
            .relax_recording = relax_recording,
            .close = close};
  }

 private:
  static vec load(const T* from) {
    if constexpr (is_vector) {
      vec v;
      __builtin_memcpy(&v, from, sizeof v);
      return v;
    } else {
      return *from;
    }
  }
  static void store(T* to, const vec& v) {
    if constexpr (is_vector) {
      __builtin_memcpy(to, &v, sizeof v);
    } else {
      *to = v;
    }
  }
  static vec broadcast(const T& value) {
    if constexpr (is_vector) {
      return value - vec{};
    } else {
      return value;
    }
  }

  template <class V>
  static V above(const V& x, [[maybe_unused]] const V& lowest) {
    if constexpr (has_floor<S>) {
      return x < lowest ? lowest : x;
    } else {
      return x;
    }
  }

  static void copy_above(const T* from, std::size_t count, const T& floor, T* to) {
    const vec lowest = broadcast(floor);
    std::size_t j = 0;
    for (; j + lanes <= count; j += lanes) store(to + j, above(load(from + j), lowest));
    for (; j < count; ++j) to[j] = above(from[j], floor);
  }

  static void pack_rows(const matrix_tile<T>& tile, const T& floor, T* packed) {
    const auto [m, depth, rows, column] = tile;
    for (std::size_t i = 0; i < m; ++i) {
      copy_above(rows[i] + column, depth, floor, packed + i * depth);
    }
  }

  // Row after row, in memory order.
  static void pack_strips(const matrix_tile<T>& tile, const T& floor, const T& padding, T* packed) {
    const auto [depth, n, rows, column] = tile;
    for (std::size_t k = 0; k < depth; ++k) {
      const T* const row = rows[k] + column;
      std::size_t j = 0;
      for (; j + strip_width <= n; j += strip_width) {
        copy_above(row + j, strip_width, floor, packed + j * depth + k * strip_width);
      }
      if (j == n) continue;
      T* const last = packed + j * depth + k * strip_width;
      copy_above(row + j, n - j, floor, last);
      for (std::size_t x = n - j; x < strip_width; ++x) last[x] = padding;
    }
  }

  // Calls f(i) for i in [0, Count), each a constant. If an index is a variable, even one that
  // unrolling removes, GCC keeps the array in memory and copies it to registers and back around a
  // loop.
  template <std::size_t Count, class F>
  [[gnu::always_inline]] static void for_each_constant(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<Count>{});
  }

  // The packed operands of a register tile: rows of a, and one strip of b. They are passed by
  // reference: a copy on the stack is stored word by word and loaded as a vector, which stalls for
  // 4 % of the time of a product.
  struct packed_operands {
    std::size_t depth;
    const T* a;
    const T* strip;
  };
  // The entries of a register tile, from `column` on.
  struct register_tile {
    T* const* rows;
    std::size_t column;
  };

  template <std::size_t Rows>
  [[gnu::always_inline]] static void relax_registers(const S& s, std::size_t first_k,
                                                     std::size_t last_k,
                                                     const packed_operands& operands, vec* best) {
    const std::size_t depth = operands.depth;
    const T* const a = operands.a;
    const T* const strip = operands.strip;
    for (std::size_t k = first_k; k < last_k; ++k) {
      vec b[vector_count];
      for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
        b[v] = load(strip + k * strip_width + v * lanes);
      });
      for_each_constant<Rows>([&](auto i) __attribute__((always_inline)) {
        const vec a_ik = broadcast(a[i * depth + k]);
        for_each_constant<vector_count>([&](auto v) __attribute__((always_inline)) {
          vec& best_iv = best[i * vector_count + v];
          best_iv = lane::plus(s, lane::times(s, a_ik, b[v]), best_iv);
        });
      });
    }
  }

  // One register tile: `Rows` rows of one strip. The next one is prefetched meanwhile. Its rows are
  // at scattered addresses, which no hardware prefetcher predicts, and the loop is too long for
  // later loads to start before its end. The prefetch is half-way, because a strip passes through
  // the whole first-level cache.
  template <std::size_t Rows>
  [[gnu::always_inline]] static void relax_registers(const S& s, const packed_operands& operands,
                                                     const register_tile& c,
                                                     const register_tile& next) {
    vec best[Rows * vector_count];
    for_each_constant<Rows * vector_count>([&](auto x) __attribute__((always_inline)) {
      best[x] = load(c.rows[x / vector_count] + c.column + x % vector_count * lanes);
    });
    const std::size_t depth = operands.depth;
    relax_registers<Rows>(s, 0, depth / 2, operands, best);
    for_each_constant<Rows * vector_count>([&](auto x) __attribute__((always_inline)) {
      __builtin_prefetch(next.rows[x / vector_count] + next.column + x % vector_count * lanes, 1);
    });
    relax_registers<Rows>(s, depth / 2, depth, operands, best);
    for_each_constant<Rows * vector_count>([&](auto x) __attribute__((always_inline)) {
      store(c.rows[x / vector_count] + c.column + x % vector_count * lanes, best[x]);
    });
  }

  // The same with the best k; -1 if no k improved the entry.
  template <std::size_t Rows>
  static void relax_registers_recording(const S& s, const packed_operands& operands,
                                        const register_tile& c, index (*best_k)[strip_width]) {
    const auto [depth, a, strip] = operands;
    vec best[Rows][vector_count];
    index_vec which[Rows][vector_count];
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t v = 0; v < vector_count; ++v) {
        best[i][v] = load(c.rows[i] + c.column + v * lanes);
        which[i][v] = index_vec{} - 1;
      }
    }
    for (std::size_t k = 0; k < depth; ++k) {
      const index_vec this_k = static_cast<index>(k) - index_vec{};
      vec b[vector_count];
      for (std::size_t v = 0; v < vector_count; ++v)
        b[v] = load(strip + k * strip_width + v * lanes);
      for (std::size_t i = 0; i < Rows; ++i) {
        const vec a_ik = broadcast(a[i * depth + k]);
        for (std::size_t v = 0; v < vector_count; ++v) {
          const vec sum = lane::times(s, a_ik, b[v]);
          const auto improves = lane::improves(s, sum, best[i][v]);
          best[i][v] = improves ? sum : best[i][v];
          which[i][v] = improves ? this_k : which[i][v];
        }
      }
    }
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t v = 0; v < vector_count; ++v) {
        store(c.rows[i] + c.column + v * lanes, best[i][v]);
        __builtin_memcpy(&best_k[i][v * lanes], &which[i][v], sizeof(index_vec));
      }
    }
  }

  // The last strip may be narrower than `strip_width`: it is relaxed in a copy of full width.
  template <std::size_t Rows>
  struct widened {
    T entries[Rows][strip_width];
    T* rows[Rows];

    widened(const register_tile& c, std::size_t width) {
      for (std::size_t i = 0; i < Rows; ++i) {
        for (std::size_t j = 0; j < strip_width; ++j) {
          entries[i][j] = c.rows[i][c.column + (j < width ? j : 0)];
        }
        rows[i] = entries[i];
      }
    }
    void write_back(const register_tile& c, std::size_t width) const {
      for (std::size_t i = 0; i < Rows; ++i) {
        for (std::size_t j = 0; j < strip_width; ++j) {
          if (j < width) c.rows[i][c.column + j] = entries[i][j];
        }
      }
    }
  };

  template <std::size_t Rows>
  static void relax_rows(const S& s, std::size_t width, const packed_operands& operands,
                         const register_tile& c, const register_tile& next) {
    if (width == strip_width) {
      relax_registers<Rows>(s, operands, c, next);
    } else {
      widened<Rows> copy(c, width);
      relax_registers<Rows>(s, operands, {copy.rows, 0}, next);
      copy.write_back(c, width);
    }
  }

  static void relax(const S& s, const tile_product<T>& product) {
    const auto [m, n, depth, a, b, c, column] = product;
    for (std::size_t j = 0; j < n; j += strip_width) {
      const std::size_t width = n - j < strip_width ? n - j : strip_width;
      const T* strip = b + j * depth;
      std::size_t i = 0;
      for (; i + row_count <= m; i += row_count) {
        // Next is the following rows of this strip, then the top of the next strip.
        const bool is_last = i + 2 * row_count > m;
        const register_tile next{is_last ? c : c + i + row_count, is_last && j + strip_width < n
                                                                      ? column + j + strip_width
                                                                      : column + j};
        relax_rows<row_count>(s, width, {depth, a + i * depth, strip}, {c + i, column + j}, next);
      }
      for (; i < m; ++i) {
        const register_tile own{c + i, column + j};
        relax_rows<1>(s, width, {depth, a + i * depth, strip}, own, own);
      }
    }
  }

  // In a function of its own, so that the loop gets all registers.
  template <std::size_t Rows>
  [[gnu::noinline]] static void relax_rows_recording(const S& s, std::size_t width,
                                                     const packed_operands& operands,
                                                     const register_tile& c,
                                                     const tile_predecessors predecessors) {
    index best_k[Rows][strip_width];
    if (width == strip_width) {
      relax_registers_recording<Rows>(s, operands, c, best_k);
    } else {
      widened<Rows> copy(c, width);
      relax_registers_recording<Rows>(s, operands, {copy.rows, 0}, best_k);
      copy.write_back(c, width);
    }
    const auto [c_predecessors, b_predecessors, b_column] = predecessors;
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        if (best_k[i][j] >= 0) {
          c_predecessors[i][c.column + j] = b_predecessors[best_k[i][j]][b_column + j];
        }
      }
    }
  }

  static void relax_recording(const S& s, const tile_product<T>& product,
                              const tile_predecessors& predecessors) {
    const auto [m, n, depth, a, b, c, column] = product;
    const auto [c_predecessors, b_predecessors, b_column] = predecessors;
    constexpr std::size_t step = recording_row_count;
    for (std::size_t j = 0; j < n; j += strip_width) {
      const std::size_t width = n - j < strip_width ? n - j : strip_width;
      const T* strip = b + j * depth;
      std::size_t i = 0;
      for (; i + step <= m; i += step) {
        relax_rows_recording<step>(s, width, {depth, a + i * depth, strip}, {c + i, column + j},
                                   {c_predecessors + i, b_predecessors, b_column + j});
      }
      for (; i < m; ++i) {
        relax_rows_recording<1>(s, width, {depth, a + i * depth, strip}, {c + i, column + j},
                                {c_predecessors + i, b_predecessors, b_column + j});
      }
    }
  }

  static void close(const S& s, std::size_t size, std::size_t stride, T* tile, T floor,
                    std::int32_t* predecessors) {
    const vec lowest = broadcast(floor);
    for (std::size_t k = 0; k < size; ++k) {
      const T* row_k = tile + k * stride;
      for (std::size_t i = 0; i < size; ++i) {
        T* row_i = tile + i * stride;
        const T t_ik = row_i[k];
        if (predecessors == nullptr) {
          const vec a_ik = broadcast(t_ik);
          for (std::size_t j = 0; j < stride; j += lanes) {
            const vec sum = above(lane::times(s, a_ik, load(row_k + j)), lowest);
            store(row_i + j, lane::plus(s, sum, load(row_i + j)));
          }
        } else {
          for (std::size_t j = 0; j < size; ++j) {
            const T sum = above(lane::times(s, t_ik, row_k[j]), floor);
            if (lane::improves(s, sum, row_i[j])) {
              row_i[j] = sum;
              predecessors[i * stride + j] = predecessors[k * stride + j];
            }
          }
        }
      }
    }
  }
};

}  // namespace apsp::inline v1::detail::host
