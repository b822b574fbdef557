// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace apsp::detail {

/// Consecutive rows of a matrix: all of them, or those that one of several processes holds.
struct row_part {
  std::size_t first;
  std::size_t count;

  std::size_t last() const { return first + count; }
  bool contains(std::size_t row) const { return row >= first && row - first < count; }
  /// The rows of this part from row @p from on and before row @p to.
  row_part between(std::size_t from, std::size_t to) const {
    const std::size_t begin = std::clamp(from, first, last());
    return {begin, std::max(begin, std::min(to, last())) - begin};
  }
};

/// The rows of one of several processes: parts follow one another in the order of the processes, and
/// the first ones have one row more if the parts cannot be equal.
constexpr row_part part_of(std::size_t num_rows, std::size_t num_parts, std::size_t part) {
  const std::size_t size = num_rows / num_parts;
  const std::size_t longer = num_rows % num_parts;
  return {part * size + std::min(part, longer), size + (part < longer ? 1 : 0)};
}

/// The part that holds @p row.
constexpr std::size_t owner_of(std::size_t num_rows, std::size_t num_parts, std::size_t row) {
  const std::size_t size = num_rows / num_parts;
  const std::size_t longer = num_rows % num_parts;
  return row < longer * (size + 1) ? row / (size + 1) : longer + (row - longer * (size + 1)) / size;
}

}  // namespace apsp::detail
