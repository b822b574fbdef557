// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/matrix_traits.hpp"

// Submatrices. Boost.Graph accepts a distance matrix that is larger than the graph, and one that
// does not report its size.
namespace apsp::inline v1::detail {

template <class D>
concept has_pointer_rows = std::is_pointer_v<std::remove_cvref_t<decltype(std::declval<D&>()[0])>>;

/// The first n rows and columns of a matrix, with the same kind of element access.
template <class D>
class leading_square {
 public:
  leading_square(D& matrix, std::size_t n) : matrix_(&matrix), n_(n) {}

  std::size_t rows() const { return n_; }
  std::size_t cols() const { return n_; }
  decltype(auto) operator()(std::size_t i, std::size_t j) const {
    return matrix_entry(*matrix_, i, j);
  }

 private:
  D* matrix_;
  std::size_t n_;
};

template <strided D>
class leading_square<D> {
 public:
  leading_square(D& matrix, std::size_t n) : layout_(matrix_layout(matrix)), n_(n) {}

  // The members that identify an mdspan.
  static constexpr std::size_t rank() { return 2; }
  auto data_handle() const { return layout_.data; }
  std::size_t extent(std::size_t) const { return n_; }
  std::ptrdiff_t stride(std::size_t dimension) const {
    return dimension == 0 ? layout_.row_stride : layout_.column_stride;
  }

 private:
  decltype(matrix_layout(std::declval<D&>())) layout_;
  std::size_t n_;
};

template <class D>
  requires(!strided<D> && (range_of_contiguous_rows<D> || has_pointer_rows<D>))
class leading_square<D> {
 public:
  leading_square(D& matrix, std::size_t n) : matrix_(&matrix), n_(n) {}

  std::size_t size() const { return n_; }
  auto operator[](std::size_t i) const {
    if constexpr (has_pointer_rows<D>) {
      return std::span((*matrix_)[i], n_);
    } else {
      return std::span(std::data((*matrix_)[i]), n_);
    }
  }

 private:
  D* matrix_;
  std::size_t n_;
};

/// The rows and columns of a matrix with the given numbers, in that order.
template <class D>
class selected_square {
 public:
  selected_square(D& matrix, const std::vector<std::size_t>& rows)
      : matrix_(&matrix), rows_(&rows) {}

  std::size_t rows() const { return rows_->size(); }
  std::size_t cols() const { return rows_->size(); }
  decltype(auto) operator()(std::size_t i, std::size_t j) const {
    return matrix_entry(*matrix_, (*rows_)[i], (*rows_)[j]);
  }

 private:
  D* matrix_;
  const std::vector<std::size_t>* rows_;
};

/// @throws std::invalid_argument if @p matrix reports fewer than n rows or columns.
template <class D>
void require_at_least(D& matrix, std::size_t n) {
  bool large_enough = true;
  if constexpr (range_of_rows<D> && !strided<D>) {
    large_enough = static_cast<std::size_t>(std::size(matrix)) >= n;
    for (std::size_t i = 0; large_enough && i < n; ++i) {
      large_enough = static_cast<std::size_t>(std::size(matrix[i])) >= n;
    }
  } else if constexpr (has_matrix_shape<D>) {
    const auto shape = shape_of(matrix);
    large_enough = shape->rows >= n && shape->columns >= n;
  }
  if (!large_enough) {
    throw std::invalid_argument("apsp: the distance matrix is smaller than " + std::to_string(n) +
                                " x " + std::to_string(n));
  }
}

}  // namespace apsp::inline v1::detail
