// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace apsp::inline v1::detail {

/// Consecutive rows or columns of a matrix: all of them, or those that one of several processes
/// holds.
struct index_part {
  std::size_t first;
  std::size_t count;

  std::size_t last() const { return first + count; }
  bool contains(std::size_t index) const { return index >= first && index - first < count; }
  /// The indices of this part from @p from on and before @p to.
  index_part between(std::size_t from, std::size_t to) const {
    const std::size_t begin = std::clamp(from, first, last());
    return {begin, std::max(begin, std::min(to, last())) - begin};
  }
};

/// A rectangle of a matrix.
struct matrix_part {
  index_part rows;
  index_part columns;

  bool contains(std::size_t u, std::size_t v) const {
    return rows.contains(u) && columns.contains(v);
  }
};

/// One of several parts of rows or columns, which follow one another; the first ones have one index
/// more if the parts cannot be equal.
constexpr index_part part_of(std::size_t count, std::size_t num_parts, std::size_t part) {
  const std::size_t size = count / num_parts;
  const std::size_t longer = count % num_parts;
  return {part * size + std::min(part, longer), size + (part < longer ? 1 : 0)};
}

/// The part that holds @p index.
constexpr std::size_t owner_of(std::size_t count, std::size_t num_parts, std::size_t index) {
  const std::size_t size = count / num_parts;
  const std::size_t longer = count % num_parts;
  const std::size_t in_longer = longer * (size + 1);
  return index < in_longer ? index / (size + 1) : longer + (index - in_longer) / size;
}

}  // namespace apsp::inline v1::detail
