// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

#include "device_memory.hpp"
#include "matrix.hpp"
#include "matrix_traits.hpp"

namespace apsp::inline v1 {

namespace detail {

// Vectors of Eigen without gaps, and those of Armadillo.
template <class R>
concept eigen_vector = eigen_like<R> && requires {
  requires static_cast<bool>(R::IsVectorAtCompileTime) && R::InnerStrideAtCompileTime == 1;
};
template <class R>
concept armadillo_vector = armadillo_like<R> && requires {
  requires std::remove_const_t<R>::is_col || std::remove_const_t<R>::is_row;
};

template <class R>
concept host_row =
    (std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && !readable_matrix<R>) ||
    eigen_vector<R> || armadillo_vector<R>;

// A row as a matrix of one row.
template <class R>
  requires(host_row<R> || device_sequence<R>)
auto one_row(R& row) {
  if constexpr (device_sequence<R>) {
    const device_span entries(row);
    return device_matrix_view(entries.data(), 1, entries.size());
  } else if constexpr (eigen_vector<R>) {
    return matrix_view(row.data(), 1, static_cast<std::size_t>(row.size()));
  } else if constexpr (armadillo_vector<R>) {
    return matrix_view(row.memptr(), 1, static_cast<std::size_t>(row.n_elem));
  } else {
    return matrix_view(std::ranges::data(row), 1, static_cast<std::size_t>(std::ranges::size(row)));
  }
}

/// The type of the entries of a row.
template <class R>
using row_value_t = matrix_value_t<decltype(one_row(std::declval<std::remove_reference_t<R>&>()))>;

}  // namespace detail

/// The results of a single source: a contiguous range of entries that can be assigned, such as
/// `std::vector` and `std::span`, a vector of Eigen or Armadillo, or an array in device memory.
template <class R>
concept result_row = requires(std::remove_reference_t<R>& row) {
  requires result_matrix<decltype(detail::one_row(row))>;
};

}  // namespace apsp::inline v1
