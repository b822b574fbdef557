// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "config.hpp"

namespace apsp::inline v1 {

/// A dense matrix that owns its entries: row-major, contiguous and aligned to a cache line.
///
/// `m[i][j]` and `m(i, j)` are the same entry; neither checks its indices.
template <class T>
class matrix {
 public:
  using value_type = T;

  /// Alignment of the first entry in bytes.
  static constexpr std::size_t alignment = alignof(T) > 64 ? alignof(T) : 64;

  matrix() noexcept = default;
  /// @p n x @p n entries, each `T()`.
  explicit matrix(std::size_t n) : matrix(n, n) {}
  /// @p rows x @p columns entries, each @p value.
  /// @throws std::bad_array_new_length if the size is not addressable, std::bad_alloc if memory is
  ///         insufficient.
  matrix(std::size_t rows, std::size_t columns, const T& value = T())
      : data_(allocate(rows, columns)), rows_(rows), columns_(columns) {
    std::uninitialized_fill_n(data_.get(), rows * columns, value);
    data_.get_deleter().constructed = rows * columns;
  }

  matrix(const matrix& other)
      : data_(allocate(other.rows_, other.columns_)), rows_(other.rows_), columns_(other.columns_) {
    std::uninitialized_copy(other.begin(), other.end(), data_.get());
    data_.get_deleter().constructed = rows_ * columns_;
  }
  matrix(matrix&& other) noexcept { swap(other); }
  matrix& operator=(matrix other) noexcept {
    swap(other);
    return *this;
  }
  ~matrix() = default;

  void swap(matrix& other) noexcept {
    data_.swap(other.data_);
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
  }
  friend void swap(matrix& a, matrix& b) noexcept { a.swap(b); }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return columns_; }

  /// The first entry; entry (i, j) is `data()[i * cols() + j]`.
  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }

  T* operator[](std::size_t i) noexcept { return data() + i * columns_; }
  const T* operator[](std::size_t i) const noexcept { return data() + i * columns_; }
  T& operator()(std::size_t i, std::size_t j) noexcept { return (*this)[i][j]; }
  const T& operator()(std::size_t i, std::size_t j) const noexcept { return (*this)[i][j]; }

  /// Iterators over all entries, row by row.
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + rows_ * columns_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + rows_ * columns_; }

  friend bool operator==(const matrix& a, const matrix& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_ &&
           std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  struct destroy_and_free {
    std::size_t constructed = 0;
    void operator()(T* data) const noexcept {
      std::destroy_n(data, constructed);
      ::operator delete(data, std::align_val_t{alignment});
    }
  };
  using storage = std::unique_ptr<T[], destroy_and_free>;

  static storage allocate(std::size_t rows, std::size_t columns) {
    if (columns != 0 && rows > (std::numeric_limits<std::size_t>::max)() / sizeof(T) / columns) {
      throw std::bad_array_new_length();
    }
    void* bytes = ::operator new(rows* columns * sizeof(T), std::align_val_t{alignment});
    return storage(static_cast<T*>(bytes));
  }

  storage data_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

/// A non-owning view of a row-major matrix in host memory: entry (i, j) is `data()[i * pitch() +
/// j]`. It can be a result if its entries are not const, and a dense graph if it is square.
/// `device_matrix_view` is the equivalent for device memory.
template <class T>
class matrix_view {
 public:
  using value_type = std::remove_const_t<T>;

  constexpr matrix_view() noexcept = default;
  constexpr matrix_view(T* data, std::size_t rows, std::size_t columns) noexcept
      : data_(data), rows_(rows), columns_(columns), pitch_(columns) {}
  /// @param pitch  entries from the start of one row to the start of the next.
  /// @throws std::invalid_argument if it is less than @p columns and there are several rows, which
  ///         would overlap.
  constexpr matrix_view(T* data, std::size_t rows, std::size_t columns, std::size_t pitch)
      : data_(data), rows_(rows), columns_(columns), pitch_(pitch) {
    if (pitch < columns && rows > 1) {
      throw std::invalid_argument(
          "apsp::matrix_view: the pitch is less than the number of columns");
    }
  }
  /// Conversion from a mutable to a const view.
  template <class U>
    requires std::is_same_v<T, const U>
  constexpr matrix_view(const matrix_view<U>& other) noexcept
      : data_(other.data()), rows_(other.rows()), columns_(other.cols()), pitch_(other.pitch()) {}

  constexpr std::size_t rows() const noexcept { return rows_; }
  constexpr std::size_t cols() const noexcept { return columns_; }
  constexpr std::size_t pitch() const noexcept { return pitch_; }
  constexpr T* data() const noexcept { return data_; }

  constexpr T* operator[](std::size_t i) const noexcept { return data_ + i * pitch_; }
  constexpr T& operator()(std::size_t i, std::size_t j) const noexcept { return (*this)[i][j]; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t pitch_ = 0;
};

}  // namespace apsp::inline v1
