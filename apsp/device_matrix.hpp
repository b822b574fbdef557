// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../detail/device/memory.hpp"
#include "device_graph.hpp"  // makes a square matrix a graph
#include "device_memory.hpp"
#include "matrix.hpp"
#include "policy.hpp"

namespace apsp::inline v1 {

namespace detail {
template <class T>
cuda::device_rows bytes_of(const device_matrix_view<T>& m) {
  // The pitch of a single row is arbitrary.
  return {const_cast<std::remove_const_t<T>*>(m.data()),
          (std::max)(m.pitch(), m.cols()) * sizeof(T), m.cols() * sizeof(T), m.rows()};
}
}  // namespace detail

/// Copies a matrix to host memory, after the work already queued on @p stream (null: the default
/// stream).
/// @throws std::invalid_argument if the stream is under capture, device_error if a CUDA call fails.
template <class T>
matrix<std::remove_const_t<T>> copy_to_host(const device_matrix_view<T>& from,
                                            CUstream_st* stream = nullptr) {
  matrix<std::remove_const_t<T>> to(from.rows(), from.cols());
  detail::cuda::copy_to_host(detail::bytes_of(from), to.data(), stream);
  return to;
}

/// Copies a matrix to device memory, after the work already queued on @p stream (null: the default
/// stream), and waits for completion.
/// @throws std::invalid_argument if the shapes differ or the stream is under capture, device_error
/// if a CUDA call fails.
template <class T>
void copy_to_device(const matrix<T>& from, const device_matrix_view<T>& to,
                    CUstream_st* stream = nullptr) {
  if (from.rows() != to.rows() || from.cols() != to.cols()) {
    throw std::invalid_argument("apsp::copy_to_device: the matrices differ in shape");
  }
  detail::cuda::copy_to_device(from.data(), detail::bytes_of(to), stream);
}

/// As above, for an array.
template <class T>
std::vector<std::remove_const_t<T>> copy_to_host(const device_span<T>& from,
                                                 CUstream_st* stream = nullptr) {
  std::vector<std::remove_const_t<T>> to(from.size());
  const device_matrix_view<T> row(from, 1, from.size());
  detail::cuda::copy_to_host(detail::bytes_of(row), to.data(), stream);
  return to;
}

/// A dense matrix that owns its entries, in the memory of one CUDA device: row-major and
/// contiguous.
///
/// Under `cuda_*` it can be a result and, if it is square, a graph. It can be moved but not copied.
/// Host code cannot read its entries; use `to_host` and `assign` to transfer them.
template <class T>
class device_matrix {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "apsp: entries in device memory must be trivially copyable");

 public:
  using value_type = T;

  device_matrix() noexcept = default;
  /// @p n x @p n uninitialized entries.
  explicit device_matrix(std::size_t n) : device_matrix(n, n) {}
  /// @p rows x @p columns uninitialized entries.
  /// @param device  a device number; -1 is the current device of the calling thread.
  /// @throws device_error if there is no device, or if its memory is insufficient.
  /// @throws std::bad_array_new_length if the size is not addressable.
  device_matrix(std::size_t rows, std::size_t columns, int device = -1)
      : rows_(rows), columns_(columns) {
    if (columns != 0 && rows > (std::numeric_limits<std::size_t>::max)() / sizeof(T) / columns) {
      throw std::bad_array_new_length();
    }
    const auto memory = detail::cuda::allocate_on_device(rows * columns * sizeof(T), device);
    data_ = static_cast<T*>(memory.data);
    device_ = memory.device;
  }
  /// A copy of a host matrix.
  explicit device_matrix(const matrix<T>& entries, int device = -1)
      : device_matrix(entries.rows(), entries.cols(), device) {
    assign(entries);
  }

  device_matrix(device_matrix&& other) noexcept { swap(other); }
  device_matrix& operator=(device_matrix&& other) noexcept {
    device_matrix moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~device_matrix() {
    if (data_ != nullptr) detail::cuda::free_on_device({data_, device_});
  }

  void swap(device_matrix& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
    std::swap(device_, other.device_);
  }
  friend void swap(device_matrix& a, device_matrix& b) noexcept { a.swap(b); }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return columns_; }
  /// Entries from the start of one row to the start of the next.
  std::size_t pitch() const noexcept { return columns_; }
  /// The device number; -1 for a default-constructed matrix.
  int device() const noexcept { return device_; }

  /// The first entry, in device memory.
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  device_matrix_view<T> view() noexcept { return {data_, rows_, columns_}; }
  device_matrix_view<const T> view() const noexcept { return {data_, rows_, columns_}; }

  /// A copy in host memory: see `copy_to_host`.
  matrix<T> to_host(CUstream_st* stream = nullptr) const { return copy_to_host(view(), stream); }
  /// Replaces the entries by those of a host matrix: see `copy_to_device`.
  void assign(const matrix<T>& entries, CUstream_st* stream = nullptr) {
    copy_to_device(entries, view(), stream);
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  int device_ = -1;
};

template <class T>
inline constexpr bool is_device_resident<device_matrix<T>> = true;

}  // namespace apsp::inline v1
