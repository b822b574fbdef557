// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "generators.hpp"
#include "semirings.hpp"

// Helpers of the tests of products: shapes, random factors, and the triple loop as reference.
namespace apsp_test {

/// The shape of a product of rows x depth and depth x columns.
struct product_shape {
  std::size_t rows;
  std::size_t depth;
  std::size_t columns;
};
inline constexpr product_shape product_shapes[] = {
    {0, 0, 0},   {1, 1, 1},     {3, 0, 4},      {0, 3, 4},    {4, 3, 0},
    {1, 200, 1}, {200, 1, 70},  {33, 65, 17},   {64, 64, 64}, {65, 129, 63},
    {127, 3, 5}, {5, 128, 200}, {130, 131, 129}};

/// Returns random entries in [low, high]; one in ten, unless specified, is `zero`.
template <class S>
apsp::matrix<typename S::value_type> random_matrix(std::size_t rows, std::size_t columns,
                                                   std::int64_t low, std::int64_t high,
                                                   random_numbers& random, double nonzero = 0.9) {
  using T = typename S::value_type;
  apsp::matrix<T> m(rows, columns, S::zero);
  for (T& x : m) {
    if (random.chance(nonzero)) x = static_cast<T>(random(low, high));
    if constexpr (std::is_same_v<S, apsp::max_times<T>>) {
      if constexpr (std::is_floating_point_v<T>) x = x / static_cast<T>(high);
    }
  }
  return m;
}

template <class S, class T = typename S::value_type>
void triple_loop(const apsp::matrix<T>& a, const apsp::matrix<T>& b, apsp::matrix<T>& c) {
  for (std::size_t i = 0; i < c.rows(); ++i) {
    for (std::size_t k = 0; k < b.rows(); ++k) {
      for (std::size_t j = 0; j < c.cols(); ++j) {
        if (a[i][k] == S::zero || b[k][j] == S::zero) continue;
        const T joined = meaning<S>::join(a[i][k], b[k][j]);
        if (meaning<S>::is_better(joined, c[i][j])) c[i][j] = joined;
      }
    }
  }
}

}  // namespace apsp_test
