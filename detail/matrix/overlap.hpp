// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/matrix_traits.hpp"
#include "rows.hpp"

// Whether two matrices of the caller share memory.
namespace apsp::detail {

/// The bytes that row @p i of a matrix takes, from its first entry to behind its last.
struct byte_range {
  const unsigned char* begin;
  const unsigned char* end;
};

/// The memory of the entries of a matrix, range by range; empty where it is not known.
template <class M>
std::vector<byte_range> memory_of(M& m, const matrix_shape& shape) {
  std::vector<byte_range> ranges;
  if (shape.rows == 0 || shape.columns == 0) return ranges;
  const auto add = [&](const auto* first, const auto* last) {
    if (std::less<>{}(last, first)) std::swap(first, last);
    ranges.push_back({reinterpret_cast<const unsigned char*>(first),
                      reinterpret_cast<const unsigned char*>(last + 1)});
  };
  if constexpr (strided<M>) {
    const auto layout = matrix_layout(m);
    const auto rows = static_cast<std::ptrdiff_t>(shape.rows);
    const auto columns = static_cast<std::ptrdiff_t>(shape.columns);
    const auto* corner = layout.data;
    const std::ptrdiff_t down = (rows - 1) * layout.row_stride;
    const std::ptrdiff_t across = (columns - 1) * layout.column_stride;
    add(corner + std::min<std::ptrdiff_t>(down, 0) + std::min<std::ptrdiff_t>(across, 0),
        corner + std::max<std::ptrdiff_t>(down, 0) + std::max<std::ptrdiff_t>(across, 0));
  } else if constexpr (range_of_contiguous_rows<M>) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      const auto* row = std::data(m[i]);
      add(row, row + shape.columns - 1);
    }
  }
  return ranges;
}

/// True if two matrices share memory, or may do so.
template <class X, class Y>
bool may_overlap(X& x, const matrix_shape& x_shape, Y& y, const matrix_shape& y_shape) {
  constexpr bool known =
      (strided<X> || range_of_contiguous_rows<X>)&&(strided<Y> || range_of_contiguous_rows<Y>);
  if constexpr (!known) {
    return static_cast<const void*>(std::addressof(x)) ==
           static_cast<const void*>(std::addressof(y));
  } else {
    auto xs = memory_of(x, x_shape);
    auto ys = memory_of(y, y_shape);
    const auto by_begin = [](const byte_range& a, const byte_range& b) {
      return std::less<>{}(a.begin, b.begin);
    };
    std::sort(xs.begin(), xs.end(), by_begin);
    std::sort(ys.begin(), ys.end(), by_begin);
    auto y_range = ys.begin();
    for (const byte_range& x_range : xs) {
      while (y_range != ys.end() && !std::less<>{}(x_range.begin, y_range->end)) ++y_range;
      if (y_range != ys.end() && std::less<>{}(y_range->begin, x_range.end)) return true;
    }
    return false;
  }
}

}  // namespace apsp::detail
