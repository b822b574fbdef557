// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../apsp/matrix_traits.hpp"
#include "../host/untouched_buffer.hpp"
#include "erased_matrix.hpp"

namespace apsp::inline v1::detail {

/// Placeholder for a predecessor matrix when the caller requests none.
struct no_predecessors {};

/// @throws std::invalid_argument unless @p m has that shape, or its type cannot tell its shape.
template <class M>
void require_shape(M& m, std::size_t rows, std::size_t columns, const char* name) {
  if constexpr (has_matrix_shape<M>) {
    const auto shape = shape_of(m);
    if (shape == matrix_shape{rows, columns}) return;
    // A range of zero rows cannot tell its number of columns.
    if (rows == 0 && shape && shape->rows == 0 && range_of_rows<M>) return;
    const std::string is =
        shape ? std::to_string(shape->rows) + " x " + std::to_string(shape->columns)
              : std::string("of rows of unequal length");
    throw std::invalid_argument("apsp: " + std::string(name) + " is " + is + ", not " +
                                std::to_string(rows) + " x " + std::to_string(columns));
  }
}

/// Row @p i of @p m if its entries are contiguous and of type C; otherwise null.
template <class C, class M>
C* contiguous_row(M& m, std::size_t i) {
  if constexpr (std::is_same_v<std::remove_const_t<C>, matrix_value_t<M>>) {
    if constexpr (strided<M>) {
      const auto layout = matrix_layout(m);
      if (layout.column_stride == 1) {
        return layout.data + static_cast<std::ptrdiff_t>(i) * layout.row_stride;
      }
    } else if constexpr (range_of_contiguous_rows<M>) {
      return std::data(m[i]);
    }
  }
  return nullptr;
}

/// The rows that an algorithm works on: those of the caller's matrix if they are contiguous and of
/// type C; the columns of such a column-major matrix if the algorithm can solve the transposed
/// problem (of a square matrix); otherwise uninitialized rows owned by this object.
template <class C>
class matrix_rows {
 public:
  template <class M>
  matrix_rows(M& m, const matrix_shape& shape, bool may_transpose)
      : matrix_rows(erased_matrix<matrix_value_t<M>>(m), shape, may_transpose) {}

  template <class T>
  matrix_rows(const erased_matrix<T>& m, const matrix_shape& shape, bool may_transpose)
      : rows_(shape.rows) {
    const std::size_t n = shape.rows;
    if constexpr (can_hold_in_place<C, T>) {
      transposed_ = !m.has_rows();
      if (m.has_rows() || (m.has_columns() && may_transpose)) {
        for (std::size_t i = 0; i < n; ++i) rows_[i] = to_row(transposed_ ? m.column(i) : m.row(i));
        return;
      }
      transposed_ = false;
    }
    in_place_ = false;
    if (shape.columns != 0 && n > (std::numeric_limits<std::size_t>::max)() / shape.columns) {
      throw std::bad_array_new_length();
    }
    own_ = host::untouched_buffer<C>(n * shape.columns);
    for (std::size_t i = 0; i < n; ++i) rows_[i] = own_.data() + i * shape.columns;
  }

  C* const* data() const noexcept { return rows_.data(); }
  /// True if the rows are the caller's memory; nothing has to be copied back then.
  bool in_place() const noexcept { return in_place_; }
  /// True if row j is column j of the caller's matrix.
  bool transposed() const noexcept { return transposed_; }

 private:
  template <class T>
  static C* to_row(T* row) {
    if constexpr (std::is_same_v<C, T>) {
      return row;
    } else {
      return reinterpret_cast<C*>(row);  // the unsigned type of C
    }
  }

  std::vector<C*> rows_;
  host::untouched_buffer<C> own_;
  bool in_place_ = true;
  bool transposed_ = false;
};

}  // namespace apsp::inline v1::detail
