// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "../adaptors/mapped_matrix.hpp"
#include "npy.hpp"

namespace apsp::inline v1 {

/// A dense matrix whose entries are in a .npy file: row-major, as NumPy's `load(file, mmap_mode)`
/// reads it. Like `matrix` it can be the result of every call and, if it is square, a graph. The
/// system reads and writes the pages of the file as they are used, so the matrix may be larger than
/// the memory. It can be moved but not copied.
///
/// `mapped_matrix<const T>` opens a file that is only read.
///
/// As the distances of `floyd_warshall` it can be its own checkpoint: see `checkpoint` of policies.
///
/// If the file is shortened by others while it is mapped, or its disk fails, the program receives
/// SIGBUS, as with every mapped file.
template <class T>
  requires npy_value<std::remove_const_t<T>>
class mapped_matrix {
 public:
  using value_type = std::remove_const_t<T>;

  mapped_matrix() noexcept = default;
  /// Creates a file of @p n x @p n entries of zero, or puts a new one in place of another, once
  /// room for all entries is reserved on the disk. Matrices that are mapped to the old file keep
  /// its entries. If it was a checkpoint, the new one is none.
  /// @throws file_error if the file cannot be created, the disk has too little room, or a call
  ///         holds the file as a checkpoint. The old file is then as it was.
  /// @throws std::bad_array_new_length if the size is not addressable.
  mapped_matrix(const std::filesystem::path& file, std::size_t n)
    requires(!std::is_const_v<T>)
      : mapped_matrix(file, n, n) {}
  /// The same with @p rows x @p columns entries.
  mapped_matrix(const std::filesystem::path& file, std::size_t rows, std::size_t columns)
    requires(!std::is_const_v<T>)
      : mapped_(file, detail::npy_header<value_type>(checked(rows, columns), columns), rows,
                columns, sizeof(T)) {}
  /// Opens a file of entries of type T in row-major order, for reading and, unless T is const, for
  /// writing.
  /// @throws file_error if it cannot be opened or is no such file; the message says what it has.
  explicit mapped_matrix(const std::filesystem::path& file)
      : mapped_(file, detail::npy_type<value_type>(), sizeof(T), !std::is_const_v<T>) {}

  std::size_t rows() const noexcept { return mapped_.rows(); }
  std::size_t cols() const noexcept { return mapped_.columns(); }

  /// The first entry; entry (i, j) is `data()[i * cols() + j]`.
  T* data() noexcept { return static_cast<T*>(mapped_.entries()); }
  const T* data() const noexcept { return static_cast<const T*>(mapped_.entries()); }

  T* operator[](std::size_t i) noexcept { return data() + i * cols(); }
  const T* operator[](std::size_t i) const noexcept { return data() + i * cols(); }
  T& operator()(std::size_t i, std::size_t j) noexcept { return (*this)[i][j]; }
  const T& operator()(std::size_t i, std::size_t j) const noexcept { return (*this)[i][j]; }

  /// Iterators over all entries, row by row.
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + rows() * cols(); }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + rows() * cols(); }

  /// Waits until all that has been written is on the disk. Without it the system writes changes in
  /// its own time, also after the end of the program.
  /// @throws file_error if that fails.
  void flush() const { mapped_.flush(); }

 private:
  static std::size_t checked(std::size_t rows, std::size_t columns) {
    constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)() / 2 / sizeof(T);
    if (columns != 0 && rows > most / columns) throw std::bad_array_new_length();
    return rows;
  }

  detail::mapped_npy mapped_;
};

}  // namespace apsp::inline v1
