// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace apsp::inline v1::detail {

/// Arcs with a number by which they are to be sorted.
template <class Key>
class sorted_arcs {
 public:
  struct entry {
    Key key;
    std::int32_t from;
    std::int32_t to;
    std::uint32_t arc;  ///< Its position.
  };

  void clear() { size_ = 0; }
  void append(const entry& e) {
    if (size_ == entries_.size()) entries_.resize(2 * size_ + 1);
    entries_[size_++] = e;
  }
  /// Sorts by the digits of the keys, which are not negative.
  void sort() {
    Key some = 0;
    Key all = static_cast<Key>(~Key{});
    for (const entry& e : list()) {
      some |= e.key;
      all &= e.key;
    }
    const Key differing = some & static_cast<Key>(~all);
    if (differing == 0 || size_ == 0) return;
    if (sorted_.size() < entries_.size()) sorted_.resize(entries_.size());
    const auto end = static_cast<unsigned>(std::bit_width(differing));
    for (auto shift = static_cast<unsigned>(std::countr_zero(differing)); shift < end;
         shift += digit_bits) {
      sort_by_digit(shift);
    }
  }
  std::span<const entry> list() const { return std::span(entries_).first(size_); }

 private:
  static constexpr unsigned digit_bits = 11;
  static constexpr std::size_t num_digits = std::size_t{1} << digit_bits;

  static std::size_t digit(Key key, unsigned shift) { return key >> shift & (num_digits - 1); }
  void sort_by_digit(unsigned shift) {
    std::array<std::uint32_t, num_digits> begins{};
    for (const entry& e : list()) ++begins[digit(e.key, shift)];
    std::exclusive_scan(begins.begin(), begins.end(), begins.begin(), std::uint32_t{0});
    for (const entry& e : list()) sorted_[begins[digit(e.key, shift)]++] = e;
    std::swap(entries_, sorted_);
  }

  std::vector<entry> entries_;
  std::vector<entry> sorted_;
  std::size_t size_ = 0;
};

}  // namespace apsp::inline v1::detail
