// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

// The inner loops on bits. This header is compiled once per instruction set, so it calls no
// function that another translation unit could also emit.
namespace apsp::inline v1::detail::host {

/// Words per line. A row of a strip is one line, and so is a table entry.
inline constexpr std::size_t line_words = 8;
inline constexpr std::size_t word_bits = 64;

/// The number of rows of B that one lookup combines, by the method of the four Russians: a table
/// holds the OR of every subset of them. The tables for one word of A, 128 KiB, fit in a
/// second-level cache.
inline constexpr std::size_t lookup_bits = 8;
inline constexpr std::size_t table_lines = std::size_t{1} << lookup_bits;
inline constexpr std::size_t tables_per_word = word_bits / lookup_bits;
inline constexpr std::size_t table_words = tables_per_word * table_lines * line_words;

/// A strip of one line of columns of a product: a is m x depth, b depth x one line, c m x one line.
struct bit_strip {
  std::size_t m;
  std::size_t depth;
  const std::uint64_t* a;
  std::size_t a_pitch;
  const std::uint64_t* b;
  std::size_t b_pitch;
  std::uint64_t* c;
  std::size_t c_pitch;
};

/// The loops for one instruction set. Lines are aligned to their size.
struct bit_kernels {
  const char* instruction_set;

  /// c |= a (x) b on a strip. @p tables has room for `table_words` words.
  void (*multiply)(const bit_strip& strip, std::uint64_t* tables);

  /// Warshall's algorithm on a tile of consecutive rows of one line each.
  void (*close)(std::size_t rows, std::uint64_t* tile);

  /// row |= other, for a multiple of a line.
  void (*unite)(std::size_t words, std::uint64_t* row, const std::uint64_t* other);
};

/// The loops for vectors of `VectorBytes` bytes.
template <int VectorBytes>
class bit_loops {
  typedef std::uint64_t vec __attribute__((vector_size(VectorBytes), may_alias));

  static constexpr std::size_t lanes = VectorBytes / sizeof(std::uint64_t);
  static constexpr std::size_t vector_count = line_words / lanes;

 public:
  static constexpr bit_kernels table(const char* instruction_set) {
    return {instruction_set, multiply, close, unite};
  }

 private:
  struct line {
    vec parts[vector_count];
  };

  static line load(const std::uint64_t* from) {
    line l;
    for (std::size_t p = 0; p < vector_count; ++p) {
      l.parts[p] = *reinterpret_cast<const vec*>(from + p * lanes);
    }
    return l;
  }
  static void store(std::uint64_t* to, const line& l) {
    for (std::size_t p = 0; p < vector_count; ++p) {
      *reinterpret_cast<vec*>(to + p * lanes) = l.parts[p];
    }
  }
  static void add(line& sum, const line& other) {
    for (std::size_t p = 0; p < vector_count; ++p) sum.parts[p] |= other.parts[p];
  }

  /// The ORs of all subsets of `lookup_bits` rows of b, of which @p count exist.
  static void fill_table(const std::uint64_t* b, std::size_t b_pitch, std::size_t count,
                         std::uint64_t* table) {
    store(table, line{});
    for (std::size_t r = 0; r < lookup_bits; ++r) {
      const line row = r < count ? load(b + r * b_pitch) : line{};
      const std::size_t half = std::size_t{1} << r;
      for (std::size_t subset = 0; subset < half; ++subset) {
        line sum = load(table + subset * line_words);
        add(sum, row);
        store(table + (half + subset) * line_words, sum);
      }
    }
  }

  static void multiply(const bit_strip& strip, std::uint64_t* tables) {
    // By value: what is stored below could otherwise change the strip, for all the compiler knows.
    const auto [m, depth, a, a_pitch, b, b_pitch, c, c_pitch] = strip;
    for (std::size_t k = 0; k < depth; k += word_bits) {
      for (std::size_t t = 0; t < tables_per_word; ++t) {
        const std::size_t first = k + t * lookup_bits;
        const std::size_t count = first < depth ? depth - first : 0;
        fill_table(b + first * b_pitch, b_pitch, count, tables + t * table_lines * line_words);
      }
      const std::uint64_t* const a_words = a + k / word_bits;
      for (std::size_t i = 0; i < m; ++i) {
        const std::uint64_t word = a_words[i * a_pitch];
        if (word == 0) continue;  // most words of sparse matrices; also avoids the store
        line sum = load(c + i * c_pitch);
#pragma GCC unroll 8
        for (std::size_t t = 0; t < tables_per_word; ++t) {
          const std::size_t subset = word >> t * lookup_bits & (table_lines - 1);
          add(sum, load(tables + (t * table_lines + subset) * line_words));
        }
        store(c + i * c_pitch, sum);
      }
    }
  }

  static void close(std::size_t rows, std::uint64_t* tile) {
    for (std::size_t k = 0; k < rows; ++k) {
      const line pivot = load(tile + k * line_words);
      const std::uint64_t* const column = tile + k / word_bits;
      for (std::size_t i = 0; i < rows; ++i) {
        // A mask, because the bits are practically random to a branch predictor.
        const std::uint64_t mask = 0 - (column[i * line_words] >> k % word_bits & 1);
        line row = load(tile + i * line_words);
        for (std::size_t p = 0; p < vector_count; ++p) row.parts[p] |= pivot.parts[p] & mask;
        store(tile + i * line_words, row);
      }
    }
  }

  static void unite(std::size_t words, std::uint64_t* row, const std::uint64_t* other) {
    for (std::size_t w = 0; w < words; w += lanes) {
      *reinterpret_cast<vec*>(row + w) |= *reinterpret_cast<const vec*>(other + w);
    }
  }
};

// One table of loops per instruction set, each defined in the file that is compiled for it.
extern const bit_kernels baseline_bit_kernels;
extern const bit_kernels avx2_bit_kernels;
extern const bit_kernels avx512_bit_kernels;

}  // namespace apsp::inline v1::detail::host
