// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

#include "../../apsp/matrix_traits.hpp"

// Type erasure for the matrices that receive the results of a call.
namespace apsp::inline v1::detail {

/// A matrix type that is not known to be an array may insert entries on access.
template <class D>
inline constexpr bool can_be_written_by_threads = strided<D> || range_of_contiguous_rows<D>;

template <class D>
constexpr int writers(int threads) {
  return can_be_written_by_threads<D> ? threads : 1;
}

/// True if an algorithm may write values of type C where the matrix holds values of type T.
template <class C, class T>
inline constexpr bool can_hold_in_place =
    std::is_same_v<C, T> || (std::is_same_v<C, std::int32_t> && std::is_same_v<T, std::uint32_t>) ||
    (std::is_same_v<C, std::int64_t> && std::is_same_v<T, std::uint64_t>);

/// A matrix of the caller to which values of type T are written. Programs call the algorithms with
/// many types of matrices; code that writes to this type is compiled once for all of them.
template <class T>
class erased_matrix {
 public:
  /// No matrix.
  erased_matrix() = default;

  /// @param m        must outlive this object; its shape has been checked.
  /// @param convert  converts a T to the type of an entry; it has no state.
  template <class M, class Convert = std::identity>
  explicit erased_matrix(M& m, Convert /*convert*/ = {})
      : matrix_(const_cast<void*>(static_cast<const void*>(std::addressof(m)))),
        write_(&write_to<M, Convert>),
        can_be_written_by_threads_(can_be_written_by_threads<M>) {
    using entry = matrix_value_t<M>;
    if constexpr (can_hold_in_place<T, entry>) {
      if constexpr (strided<M>) {
        const auto layout = matrix_layout(m);
        layout_ = {to_values(layout.data), layout.row_stride, layout.column_stride};
      } else if constexpr (range_of_contiguous_rows<M>) {
        row_ = &row_of<M>;
      }
    }
  }

  explicit operator bool() const { return matrix_ != nullptr; }

  /// True if the entries of each row are contiguous values of type T.
  bool has_rows() const { return row_ != nullptr || layout_.column_stride == 1; }
  /// True if the entries of each column are.
  bool has_columns() const { return layout_.row_stride == 1; }
  T* row(std::size_t i) const {
    return row_ != nullptr ? row_(matrix_, i)
                           : layout_.data + static_cast<std::ptrdiff_t>(i) * layout_.row_stride;
  }
  T* column(std::size_t j) const {
    return layout_.data + static_cast<std::ptrdiff_t>(j) * layout_.column_stride;
  }

  /// The number of threads, up to @p threads, that may write to different rows.
  int writers(int threads) const { return can_be_written_by_threads_ ? threads : 1; }

  /// Writes values[j] to entry (i, j) for every j below @p count.
  void write_row(std::size_t i, const T* values, std::size_t count) const {
    write_(matrix_, i, 0, values, count);
  }
  /// Writes value_of(j) to entry (i, j) for every j below @p count.
  template <class ValueOf>
  void write_row_of(std::size_t i, std::size_t count, ValueOf value_of) const {
    // Values are passed in groups, so that a group shares one indirect call.
    std::array<T, 64> group;
    for (std::size_t first = 0; first < count; first += group.size()) {
      const std::size_t size = std::min(group.size(), count - first);
      for (std::size_t k = 0; k < size; ++k) group[k] = value_of(first + k);
      write_(matrix_, i, first, group.data(), size);
    }
  }

 private:
  template <class Entry>
  static T* to_values(Entry* entries) {
    if constexpr (std::is_same_v<T, Entry>) {
      return entries;
    } else {
      return reinterpret_cast<T*>(entries);  // the unsigned type of T
    }
  }

  template <class M>
  static T* row_of(void* matrix, std::size_t i) {
    return to_values(std::data((*static_cast<M*>(matrix))[i]));
  }

  template <class M, class Convert>
  static void write_to(void* matrix, std::size_t i, std::size_t first, const T* values,
                       std::size_t count) {
    M& m = *static_cast<M*>(matrix);
    for (std::size_t k = 0; k < count; ++k) matrix_entry(m, i, first + k) = Convert{}(values[k]);
  }

  void* matrix_ = nullptr;
  strided_layout<T> layout_{nullptr, 0, 0};
  T* (*row_)(void* matrix, std::size_t i) = nullptr;
  void (*write_)(void* matrix, std::size_t i, std::size_t first, const T* values,
                 std::size_t count) = nullptr;
  bool can_be_written_by_threads_ = false;
};

}  // namespace apsp::inline v1::detail
