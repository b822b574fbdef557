// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_memory.hpp"

// How the library accesses a matrix: its entries, its shape if known, and its memory if entries or
// rows are laid out regularly. Every kind of matrix is recognised by its members, so no header of
// Boost, Eigen or CUDA is needed.
namespace apsp::inline v1 {

/// Rows and columns of a matrix.
struct matrix_shape {
  std::size_t rows;
  std::size_t columns;
  friend bool operator==(const matrix_shape&, const matrix_shape&) = default;
};

/// A memory layout in which entry (i, j) is at `data + i * row_stride + j * column_stride`.
template <class T>
struct strided_layout {
  T* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
};
// Clang supports aggregate deduction only since version 17.
template <class T>
strided_layout(T*, std::ptrdiff_t, std::ptrdiff_t) -> strided_layout<T>;

namespace detail {

// The concepts below are tested in this order; the first that holds determines how a matrix is
// read.

// std::mdspan and cuda::std::mdspan.
template <class M>
concept mdspan_like = requires(const M& m) {
  m.data_handle();
  { m.extent(0) } -> std::convertible_to<std::size_t>;
  { m.stride(0) } -> std::convertible_to<std::ptrdiff_t>;
  requires M::rank() == 2;
};

// boost::multi_array, multi_array_ref and their const forms.
template <class M>
concept multi_array_like = requires(const M& m) {
  { m.shape()[0] } -> std::convertible_to<std::size_t>;
  { m.strides()[0] } -> std::convertible_to<std::ptrdiff_t>;
  { m.index_bases()[0] } -> std::convertible_to<std::ptrdiff_t>;
  m[0][0];
  requires M::dimensionality == 2;
};

// Eigen's dense objects with storage.
template <class M>
concept eigen_like = requires(M& m) {
  { m.rows() } -> std::convertible_to<std::ptrdiff_t>;
  { m.cols() } -> std::convertible_to<std::ptrdiff_t>;
  { m.innerStride() } -> std::convertible_to<std::ptrdiff_t>;
  { m.outerStride() } -> std::convertible_to<std::ptrdiff_t>;
  m.data();
  m(0, 0);
  static_cast<bool>(std::remove_const_t<M>::IsRowMajor);
};

// Armadillo: the shape is in data members.
template <class M>
concept has_n_rows_and_n_cols = requires(const M& m) {
  { m.n_rows } -> std::convertible_to<std::size_t>;
  { m.n_cols } -> std::convertible_to<std::size_t>;
};
// Armadillo matrices with storage are column-major.
template <class M>
concept armadillo_like = has_n_rows_and_n_cols<M> && requires(M& m) { *m.memptr(); };

// apsp::matrix, apsp::matrix_view, and any other row-major matrix with these members: contiguous,
// or with rows `pitch()` entries apart.
template <class M>
concept row_major_like = requires(M& m) {
  { m.rows() } -> std::convertible_to<std::size_t>;
  { m.cols() } -> std::convertible_to<std::size_t>;
  m.data();
  { &m[0][0] } -> std::same_as<decltype(m.data())>;
};

template <class M>
concept array_2d = std::rank_v<M> == 2 && std::extent_v<M, 0> != 0 && std::extent_v<M, 1> != 0;

// vector<vector<T>>, array<array<T, n>, n>, and the like.
template <class M>
concept range_of_rows = requires(M& m) {
  { std::size(m) } -> std::convertible_to<std::size_t>;
  { std::size(m[0]) } -> std::convertible_to<std::size_t>;
  m[0][0];
};

template <class M>
concept range_of_contiguous_rows = range_of_rows<M> && requires(M& m) {
  { std::data(m[0]) } -> std::same_as<decltype(&m[0][0])>;
};

template <class M>
concept call_indexed = requires(M& m, std::size_t i) {
  m(i, i);
  requires !std::is_void_v<decltype(m(i, i))>;
};
template <class M>
concept subscript_indexed = requires(M& m, std::size_t i) {
  m[i][i];
  requires !std::is_void_v<decltype(m[i][i])>;
};

template <class M>
concept has_rows_and_cols = requires(const M& m) {
  { m.rows() } -> std::convertible_to<std::size_t>;
  { m.cols() } -> std::convertible_to<std::size_t>;
};
// Boost.uBLAS.
template <class M>
concept has_size1_and_size2 = requires(const M& m) {
  { m.size1() } -> std::convertible_to<std::size_t>;
  { m.size2() } -> std::convertible_to<std::size_t>;
};

// Sparse matrices of Boost.uBLAS and Armadillo report how many entries they store. If they were
// read as dense matrices, every missing entry would become an edge of weight zero.
template <class M>
concept says_sparse = requires(const M& m) {
  { m.nnz() } -> std::convertible_to<std::size_t>;
} || requires(const M& m) {
  { m.n_nonzero } -> std::convertible_to<std::size_t>;
};

template <class M>
concept strided = (mdspan_like<M> && !device_resident<M>) || multi_array_like<M> || eigen_like<M> ||
                  armadillo_like<M> || row_major_like<M> || array_2d<M>;

}  // namespace detail

/// True if the matrix type has a known shape.
template <class M>
inline constexpr bool has_matrix_shape =
    detail::mdspan_like<M> || detail::strided<M> || detail::range_of_rows<M> ||
    detail::has_rows_and_cols<M> || detail::has_size1_and_size2<M> ||
    detail::has_n_rows_and_n_cols<M>;

/// The layout of a matrix whose entries are at regular strides.
template <detail::strided M>
auto matrix_layout(M& m) {
  if constexpr (detail::mdspan_like<M>) {
    return strided_layout{&*m.data_handle(), static_cast<std::ptrdiff_t>(m.stride(0)),
                          static_cast<std::ptrdiff_t>(m.stride(1))};
  } else if constexpr (detail::multi_array_like<M>) {
    const bool empty = m.shape()[0] == 0 || m.shape()[1] == 0;
    using pointer = decltype(&m[0][0]);
    return strided_layout{empty ? pointer{} : &m[m.index_bases()[0]][m.index_bases()[1]],
                          static_cast<std::ptrdiff_t>(m.strides()[0]),
                          static_cast<std::ptrdiff_t>(m.strides()[1])};
  } else if constexpr (detail::eigen_like<M>) {
    const auto inner = static_cast<std::ptrdiff_t>(m.innerStride());
    const auto outer = static_cast<std::ptrdiff_t>(m.outerStride());
    constexpr bool row_major = static_cast<bool>(std::remove_const_t<M>::IsRowMajor);
    return strided_layout{m.data(), row_major ? outer : inner, row_major ? inner : outer};
  } else if constexpr (detail::armadillo_like<M>) {
    return strided_layout{m.memptr(), std::ptrdiff_t{1}, static_cast<std::ptrdiff_t>(m.n_rows)};
  } else if constexpr (detail::row_major_like<M>) {
    if constexpr (requires { m.pitch(); }) {
      return strided_layout{m.data(), static_cast<std::ptrdiff_t>(m.pitch()), std::ptrdiff_t{1}};
    } else {
      return strided_layout{m.data(), static_cast<std::ptrdiff_t>(m.cols()), std::ptrdiff_t{1}};
    }
  } else {
    return strided_layout{&m[0][0], static_cast<std::ptrdiff_t>(std::extent_v<M, 1>),
                          std::ptrdiff_t{1}};
  }
}

/// The shape of @p m, or nullopt if it is unknown: `T**`, or rows of unequal length.
template <class M>
std::optional<matrix_shape> shape_of(M& m) {
  const auto make = [](auto rows, auto columns) {
    return matrix_shape{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
  };
  if constexpr (detail::mdspan_like<M>) {
    return make(m.extent(0), m.extent(1));
  } else if constexpr (detail::multi_array_like<M>) {
    return make(m.shape()[0], m.shape()[1]);
  } else if constexpr (detail::has_rows_and_cols<M>) {
    return make(m.rows(), m.cols());
  } else if constexpr (detail::array_2d<M>) {
    return make(std::extent_v<M, 0>, std::extent_v<M, 1>);
  } else if constexpr (detail::range_of_rows<M>) {
    const std::size_t rows = std::size(m);
    const std::size_t columns = rows == 0 ? 0 : std::size(m[0]);
    for (std::size_t i = 0; i < rows; ++i) {
      if (static_cast<std::size_t>(std::size(m[i])) != columns) return std::nullopt;
    }
    return make(rows, columns);
  } else if constexpr (detail::has_size1_and_size2<M>) {
    return make(m.size1(), m.size2());
  } else if constexpr (detail::has_n_rows_and_n_cols<M>) {
    return make(m.n_rows, m.n_cols);
  } else {
    return std::nullopt;
  }
}

/// Entry (i, j) of any kind of matrix, as a reference or a proxy.
template <class M>
decltype(auto) matrix_entry(M& m, std::size_t i, std::size_t j) {
  if constexpr (detail::strided<M>) {
    const auto layout = matrix_layout(m);
    return layout.data[static_cast<std::ptrdiff_t>(i) * layout.row_stride +
                       static_cast<std::ptrdiff_t>(j) * layout.column_stride];
  } else if constexpr (detail::subscript_indexed<M>) {
    return m[i][j];
  } else {
    return m(i, j);
  }
}

/// A host matrix whose entries are read by `m[i][j]` or `m(i, j)`, or through a strided layout.
template <class M>
concept readable_matrix =
    !device_resident<M> && (detail::strided<std::remove_reference_t<M>> ||
                            detail::subscript_indexed<std::remove_reference_t<M>> ||
                            detail::call_indexed<std::remove_reference_t<M>>);

namespace detail {

// The type of an entry that is read through a proxy.
template <class Entry>
struct entry_value {
  using type = Entry;
};
template <class Entry>
  requires requires { typename Entry::entry_value_type; }
struct entry_value<Entry> {
  using type = typename Entry::entry_value_type;
};
template <>
struct entry_value<std::vector<bool>::reference> {
  using type = bool;
};

}  // namespace detail

namespace detail {

template <class M>
struct matrix_value {};
template <readable_matrix M>
struct matrix_value<M> {
  using type = typename entry_value<std::remove_cvref_t<decltype(matrix_entry(
      std::declval<std::remove_reference_t<M>&>(), std::size_t{}, std::size_t{}))>>::type;
};
template <readable_device_matrix M>
struct matrix_value<M> {
  using type = typename std::remove_cvref_t<M>::value_type;
};

}  // namespace detail

/// The type of an entry.
template <class M>
using matrix_value_t = typename detail::matrix_value<M>::type;

/// A matrix whose entries can be assigned, as needed for distances and predecessors.
template <class M>
concept writable_matrix =
    readable_matrix<M> && requires(std::remove_reference_t<M>& m, const matrix_value_t<M>& value) {
      matrix_entry(m, std::size_t{}, std::size_t{}) = value;
    };

/// A matrix that an algorithm can read, in host or device memory.
template <class M>
concept operand_matrix = readable_matrix<M> || readable_device_matrix<M>;

/// A matrix to which an algorithm can write its results, in host or device memory.
template <class M>
concept result_matrix = writable_matrix<M> || writable_device_matrix<M>;

/// Several matrices of one type for results: `std::size(r)` matrices `r[i]`.
template <class R>
concept range_of_matrices = requires(R& r) {
  { std::size(r) } -> std::convertible_to<std::size_t>;
  requires result_matrix<decltype(r[std::size_t{}])>;
};

}  // namespace apsp::inline v1
