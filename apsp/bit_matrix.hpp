// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "matrix.hpp"

namespace apsp::inline v1 {

/// A matrix of bits that owns its memory, with 64 columns per word: an eighth of a byte per entry.
///
/// Layout: row-major; column j of a row is bit `j % 64` of word `j / 64`, counted from the least
/// significant bit. Rows start `pitch()` words apart, a multiple of a cache line of 64 bytes, and
/// the first row is aligned to a cache line. Padding bits are 0.
///
/// `m[i][j]` and `m(i, j)` are the same entry; `m[i][j]` can be assigned. Neither checks its
/// indices. Entries of a row share words, so two threads must not write to the same row.
class bit_matrix {
 public:
  using value_type = bool;
  using word = std::uint64_t;

  static constexpr std::size_t word_bits = 64;
  /// Words per cache line.
  static constexpr std::size_t line_words = matrix<word>::alignment / sizeof(word);

  /// A proxy for one entry.
  class reference {
   public:
    using entry_value_type = bool;

    operator bool() const noexcept { return (*word_ & mask_) != 0; }
    // Const, because assignment changes the entry and not the proxy; so a proxy returned by value
    // can be assigned to.
    const reference& operator=(bool value) const noexcept {
      *word_ = value ? *word_ | mask_ : *word_ & ~mask_;
      return *this;
    }
    const reference& operator=(const reference& other) const noexcept {
      if (this != &other) *this = static_cast<bool>(other);
      return *this;
    }
    reference& operator=(const reference& other) noexcept {
      if (this != &other) std::as_const(*this) = static_cast<bool>(other);
      return *this;
    }
    reference(const reference&) noexcept = default;
    ~reference() = default;

   private:
    friend class bit_matrix;
    reference(word* row, std::size_t j) noexcept
        : word_(row + j / word_bits), mask_(word{1} << j % word_bits) {}

    word* word_;
    word mask_;
  };

  bit_matrix() noexcept = default;
  /// @p n x @p n entries, all false.
  explicit bit_matrix(std::size_t n) : bit_matrix(n, n) {}
  /// @p rows x @p columns entries, all false.
  /// @throws std::bad_array_new_length if the size is not addressable, std::bad_alloc if memory is
  ///         insufficient.
  bit_matrix(std::size_t rows, std::size_t columns)
      : words_(rows, padded_words(columns)), columns_(columns) {}

  bit_matrix(const bit_matrix&) = default;
  bit_matrix(bit_matrix&& other) noexcept { swap(other); }
  bit_matrix& operator=(bit_matrix other) noexcept {
    swap(other);
    return *this;
  }
  ~bit_matrix() = default;

  void swap(bit_matrix& other) noexcept {
    words_.swap(other.words_);
    std::swap(columns_, other.columns_);
  }
  friend void swap(bit_matrix& a, bit_matrix& b) noexcept { a.swap(b); }

  std::size_t rows() const noexcept { return words_.rows(); }
  std::size_t cols() const noexcept { return columns_; }
  /// Words from the start of one row to the start of the next.
  std::size_t pitch() const noexcept { return words_.cols(); }

  /// All `pitch()` words of row @p i. Writers must keep the padding bits zero.
  std::span<word> words(std::size_t i) noexcept { return {words_[i], pitch()}; }
  std::span<const word> words(std::size_t i) const noexcept { return {words_[i], pitch()}; }

  bool operator()(std::size_t i, std::size_t j) const noexcept {
    return (words_[i][j / word_bits] >> j % word_bits & 1) != 0;
  }
  void set(std::size_t i, std::size_t j, bool value = true) noexcept {
    reference(words_[i], j) = value;
  }

  auto operator[](std::size_t i) noexcept { return row{words_[i]}; }
  auto operator[](std::size_t i) const noexcept { return const_row{words_[i]}; }

  /// The number of entries that are true.
  std::size_t count() const noexcept {
    std::size_t total = 0;
    for (const word w : words_) total += static_cast<std::size_t>(std::popcount(w));
    return total;
  }

  friend bool operator==(const bit_matrix& a, const bit_matrix& b) {
    return a.columns_ == b.columns_ && a.words_ == b.words_;
  }

 private:
  struct row {
    word* words;
    reference operator[](std::size_t j) const noexcept { return {words, j}; }
  };
  struct const_row {
    const word* words;
    bool operator[](std::size_t j) const noexcept {
      return (words[j / word_bits] >> j % word_bits & 1) != 0;
    }
  };

  static constexpr std::size_t padded_words(std::size_t columns) {
    constexpr std::size_t line_bits = line_words * word_bits;
    return (columns / line_bits + (columns % line_bits != 0 ? 1 : 0)) * line_words;
  }

  matrix<word> words_;
  std::size_t columns_ = 0;
};

}  // namespace apsp::inline v1
