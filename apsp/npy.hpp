// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "../detail/files/new_file.hpp"
#include "error.hpp"
#include "matrix_traits.hpp"

namespace apsp::inline v1 {

/// An entry type with a NumPy equivalent: bool, integers and floating point of 1 to 8 bytes.
template <class T>
concept npy_value = std::is_arithmetic_v<T> && sizeof(T) <= 8;

namespace detail {

// The type in NumPy's notation: byte order, kind and size in bytes; "<f4" is a little-endian float.
template <npy_value T>
std::string npy_type() {
  const char order = sizeof(T) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  const char kind = std::is_same_v<T, bool>       ? 'b'
                    : std::is_floating_point_v<T> ? 'f'
                    : std::is_signed_v<T>         ? 'i'
                                                  : 'u';
  return {order, kind, static_cast<char>('0' + sizeof(T))};
}

// The file header in version 1.0 of the format.
template <npy_value T>
std::string npy_header(std::size_t rows, std::size_t columns) {
  using namespace std::string_view_literals;
  constexpr std::string_view magic_and_version = "\x93NUMPY\x01\x00"sv;
  constexpr std::size_t length_bytes = 2;
  constexpr std::size_t alignment = 64;

  std::string dictionary = "{'descr': '" + npy_type<T>() + "', 'fortran_order': False, 'shape': (" +
                           std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  // Blanks and a line end pad the header, so that the entries are aligned in a mapped file.
  const std::size_t unpadded = magic_and_version.size() + length_bytes + dictionary.size() + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';

  // The length is little-endian regardless of the byte order of the entries.
  const auto length_byte = [&](int shift) {
    return static_cast<char>(static_cast<unsigned char>(dictionary.size() >> shift & 0xFFU));
  };
  return std::string(magic_and_version) + length_byte(0) + length_byte(8) + dictionary;
}

}  // namespace detail

/// Writes a matrix to a file for `numpy.load`: .npy, version 1.0, in row-major order.
///
/// @param data  rows x columns entries, row-major and contiguous.
/// @throws file_error if the file cannot be written. What was there remains, since the new file
///         takes its place when it is complete; the disk needs room for both.
template <npy_value T>
void write_npy(const std::filesystem::path& file, const T* data, std::size_t rows,
               std::size_t columns) {
  const std::string header = detail::npy_header<T>(rows, columns);
  detail::new_file out(file);
  out.write(header.data(), header.size());
  out.write(data, rows * columns * sizeof(T));
  out.put_in_place();
}

/// As above, for any matrix with a known shape: `apsp::matrix`, `std::vector` of `std::vector`,
/// Eigen of either order, `boost::multi_array`, `std::mdspan`. The file is row-major for all of
/// them.
///
/// @throws file_error as above, and if the rows differ in length; nothing is written then.
template <readable_matrix Matrix>
  requires npy_value<matrix_value_t<const Matrix>> && has_matrix_shape<const Matrix>
void write_npy(const std::filesystem::path& file, const Matrix& m) {
  using value_type = matrix_value_t<const Matrix>;
  const std::optional<matrix_shape> shape = shape_of(m);
  if (!shape) throw file_error(file, 0, "cannot be written: the matrix has rows of unequal length");
  if constexpr (detail::row_major_like<const Matrix>) {
    const value_type* const data = m.data();
    write_npy(file, data, shape->rows, shape->columns);
  } else {
    const std::string header = detail::npy_header<value_type>(shape->rows, shape->columns);
    detail::new_file out(file);
    out.write(header.data(), header.size());
    // Not a std::vector, because vector<bool> does not store one byte per entry.
    const auto row = std::make_unique<value_type[]>(shape->columns);
    for (std::size_t i = 0; i < shape->rows; ++i) {
      for (std::size_t j = 0; j < shape->columns; ++j) row[j] = matrix_entry(m, i, j);
      out.write(row.get(), shape->columns * sizeof(value_type));
    }
    out.put_in_place();
  }
}

}  // namespace apsp::inline v1
