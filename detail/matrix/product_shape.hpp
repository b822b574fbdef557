// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "../../apsp/matrix_traits.hpp"

// The shape of a product of two matrices.
namespace apsp::inline v1::detail {

/// The rows, depth and columns of a product.
struct product_shape_of_call {
  std::size_t rows = 0;
  std::size_t depth = 0;
  std::size_t columns = 0;
};

/// @throws std::invalid_argument for matrices of these shapes.
[[noreturn]] inline void throw_product_shapes(const matrix_shape& left, const matrix_shape& right,
                                              const matrix_shape& result) {
  const auto name = [](const matrix_shape& s) {
    return std::to_string(s.rows) + " x " + std::to_string(s.columns);
  };
  throw std::invalid_argument("apsp: a matrix of " + name(left) + " times one of " + name(right) +
                              " does not fit a result of " + name(result));
}

/// @throws std::invalid_argument unless a is m x k, b is k x n and c is m x n.
template <class A, class B, class C>
product_shape_of_call check_product(A& a, B& b, C& c) {
  static_assert(!says_sparse<A> && !says_sparse<B> && !says_sparse<C>,
                "apsp: the matrices of a product must be dense: entries that a sparse matrix does "
                "not store would become 0");
  static_assert(has_matrix_shape<A> && has_matrix_shape<B> && has_matrix_shape<C>,
                "apsp: the matrices of a product must report their shape");
  const auto shape = [](auto& m, const char* name) {
    const auto found = shape_of(m);
    if (!found) {
      throw std::invalid_argument("apsp: " + std::string(name) + " has rows of unequal length");
    }
    return *found;
  };
  const matrix_shape left = shape(a, "the left factor");
  const matrix_shape right = shape(b, "the right factor");
  const matrix_shape result = shape(c, "the result of a product");
  // A range of zero rows cannot tell its number of columns.
  const bool rows_fit = left.rows == result.rows;
  const bool depth_fits = left.columns == right.rows || (left.rows == 0 && range_of_rows<A>);
  const bool columns_fit = right.columns == result.columns ||
                           (right.rows == 0 && range_of_rows<B>) ||
                           (result.rows == 0 && range_of_rows<C>);
  if (!rows_fit || !depth_fits || !columns_fit) throw_product_shapes(left, right, result);
  return {result.rows, right.rows, result.columns};
}

}  // namespace apsp::inline v1::detail
