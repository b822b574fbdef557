// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../../apsp/device_memory.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "rows.hpp"

// Where the entries of matrices are stored, and whether two matrices share memory.
namespace apsp::inline v1::detail {

template <class M>
concept regular_matrix = strided<M> || readable_device_matrix<M>;

/// The memory of a matrix on the host or a device whose entries have regular strides.
template <regular_matrix M>
auto regular_layout(M& m) {
  if constexpr (readable_device_matrix<M>) {
    const auto view = device_view_of(m);
    return strided_layout{view.data(), static_cast<std::ptrdiff_t>(view.pitch()),
                          std::ptrdiff_t{1}};
  } else {
    return matrix_layout(m);
  }
}

/// The bytes from the first entry of a row or column to the end of its last.
struct byte_range {
  const unsigned char* begin;
  const unsigned char* end;
};

/// The memory ranges of the entries of a non-empty matrix; nothing if unknown. A range includes
/// memory other than that of its entries only if neither rows nor columns are contiguous.
template <class M>
std::vector<byte_range> memory_of(M& m, const matrix_shape& shape) {
  std::vector<byte_range> ranges;
  const auto add = [&](const auto* first, const auto* last) {
    if (std::less<>{}(last, first)) std::swap(first, last);
    ranges.push_back({reinterpret_cast<const unsigned char*>(first),
                      reinterpret_cast<const unsigned char*>(last + 1)});
  };
  if constexpr (regular_matrix<M>) {
    const auto layout = regular_layout(m);
    std::size_t num_lines = shape.rows;
    std::size_t length = shape.columns;
    std::ptrdiff_t across_lines = layout.row_stride;
    std::ptrdiff_t along_line = layout.column_stride;
    if (std::abs(across_lines) < std::abs(along_line)) {
      std::swap(num_lines, length);
      std::swap(across_lines, along_line);
    }
    if (across_lines == static_cast<std::ptrdiff_t>(length) * along_line) {
      length *= num_lines;
      num_lines = 1;
    }
    for (std::size_t i = 0; i < num_lines; ++i) {
      const auto* first = layout.data + static_cast<std::ptrdiff_t>(i) * across_lines;
      add(first, first + static_cast<std::ptrdiff_t>(length - 1) * along_line);
    }
  } else if constexpr (range_of_contiguous_rows<M>) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      const auto* row = std::data(m[i]);
      add(row, row + shape.columns - 1);
    }
  }
  return ranges;
}

/// The memory from the first to the last entry of a non-empty matrix; where that is not known, of
/// the object. Takes no memory.
template <class M>
byte_range hull_of(M& m, const matrix_shape& shape) {
  const auto bytes = [](const auto* first, const auto* last) {
    return byte_range{reinterpret_cast<const unsigned char*>(first),
                      reinterpret_cast<const unsigned char*>(last + 1)};
  };
  if constexpr (regular_matrix<M>) {
    const auto layout = regular_layout(m);
    const std::ptrdiff_t down = static_cast<std::ptrdiff_t>(shape.rows - 1) * layout.row_stride;
    const std::ptrdiff_t across =
        static_cast<std::ptrdiff_t>(shape.columns - 1) * layout.column_stride;
    return bytes(
        layout.data + std::min<std::ptrdiff_t>(down, 0) + std::min<std::ptrdiff_t>(across, 0),
        layout.data + std::max<std::ptrdiff_t>(down, 0) + std::max<std::ptrdiff_t>(across, 0));
  } else if constexpr (range_of_contiguous_rows<M>) {
    byte_range hull = bytes(std::data(m[0]), std::data(m[0]) + (shape.columns - 1));
    for (std::size_t i = 1; i < shape.rows; ++i) {
      const byte_range row = bytes(std::data(m[i]), std::data(m[i]) + (shape.columns - 1));
      hull.begin = std::min(hull.begin, row.begin, std::less<>{});
      hull.end = std::max(hull.end, row.end, std::less<>{});
    }
    return hull;
  } else {
    const auto* object = std::addressof(m);
    return bytes(object, object);
  }
}

/// True if the strides of two matrices keep their entries apart, as for two members of the
/// structures in an array.
template <regular_matrix X, regular_matrix Y>
bool are_interleaved(X& x, Y& y) {
  const auto a = regular_layout(x);
  const auto b = regular_layout(y);
  const auto size_a = static_cast<std::ptrdiff_t>(sizeof(*a.data));
  const auto size_b = static_cast<std::ptrdiff_t>(sizeof(*b.data));
  const std::ptrdiff_t period = std::gcd(std::gcd(a.row_stride * size_a, a.column_stride * size_a),
                                         std::gcd(b.row_stride * size_b, b.column_stride * size_b));
  if (period == 0) return false;
  const auto distance = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(b.data) -
                                                    reinterpret_cast<std::uintptr_t>(a.data));
  const std::ptrdiff_t offset = (distance % period + period) % period;
  return size_a <= offset && offset + size_b <= period;
}

/// True if some byte is in a range of @p xs and in one of @p ys.
inline bool have_common_bytes(std::vector<byte_range> xs, std::vector<byte_range> ys) {
  const auto by_begin = [](const byte_range& a, const byte_range& b) {
    return std::less<>{}(a.begin, b.begin);
  };
  std::sort(xs.begin(), xs.end(), by_begin);
  std::sort(ys.begin(), ys.end(), by_begin);
  auto y = ys.begin();
  for (const byte_range& x : xs) {
    while (y != ys.end() && !std::less<>{}(x.begin, y->end)) ++y;
    if (y != ys.end() && std::less<>{}(y->begin, x.end)) return true;
  }
  return false;
}

/// True if two matrices share memory, or may share memory.
template <class X, class Y>
bool may_overlap(X& x, const matrix_shape& x_shape, Y& y, const matrix_shape& y_shape) {
  constexpr bool known = (regular_matrix<X> || range_of_contiguous_rows<X>)&&(
      regular_matrix<Y> || range_of_contiguous_rows<Y>);
  if constexpr (!known) {
    return static_cast<const void*>(std::addressof(x)) ==
           static_cast<const void*>(std::addressof(y));
  } else {
    const auto is_empty = [](const matrix_shape& s) { return s.rows == 0 || s.columns == 0; };
    if (is_empty(x_shape) || is_empty(y_shape)) return false;
    if constexpr (regular_matrix<X> && regular_matrix<Y>) {
      if (are_interleaved(x, y)) return false;
    }
    return have_common_bytes(memory_of(x, x_shape), memory_of(y, y_shape));
  }
}

}  // namespace apsp::inline v1::detail
