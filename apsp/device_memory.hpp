// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "config.hpp"

// Non-owning arrays and matrices in the memory of a CUDA device. They use no CUDA types, so a
// program built with only a C++ compiler can pass them on.
namespace apsp::inline v1 {

/// True for a graph or a matrix whose data are in device memory; host code must not read them.
template <class X>
inline constexpr bool is_device_resident = false;

/// A graph or a matrix whose data are in device memory.
template <class X>
concept device_resident = is_device_resident<std::remove_cvref_t<X>>;

/// An array whose type shows that it is in device memory, such as `thrust::device_vector`: its
/// `data()` is not a raw pointer but an object whose `get()` returns one.
template <class V>
concept device_array = requires(V& v) {
  { v.size() } -> std::convertible_to<std::size_t>;
  *v.data().get();
  requires std::is_pointer_v<decltype(v.data().get())>;
};

/// The type of an element of a `device_array`.
template <device_array V>
using device_element_t = std::remove_reference_t<decltype(*std::declval<V&>().data().get())>;

/// A contiguous sequence in device memory.
template <class T>
class device_span {
 public:
  using element_type = T;

  constexpr device_span() noexcept = default;
  constexpr device_span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  /// The elements of a device array such as `thrust::device_vector`, which must outlive every use
  /// of the span.
  template <class V>
    requires(device_array<std::remove_reference_t<V>> &&
             std::convertible_to<device_element_t<std::remove_reference_t<V>>*, T*>)
  constexpr device_span(V&& array) : data_(array.data().get()), size_(array.size()) {}
  template <class U>
    requires std::convertible_to<U*, T*>
  constexpr device_span(const device_span<U>& other) noexcept
      : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class V>
  requires device_array<std::remove_reference_t<V>>
device_span(V&&) -> device_span<device_element_t<std::remove_reference_t<V>>>;

template <class V>
inline constexpr bool is_device_sequence = device_array<V>;
template <class T>
inline constexpr bool is_device_sequence<device_span<T>> = true;
/// A `device_array` or a `device_span`.
template <class V>
concept device_sequence = is_device_sequence<std::remove_cv_t<V>>;

/// The type of the elements of a `device_sequence`, without const.
template <device_sequence V>
using device_value_t =
    std::remove_cv_t<typename decltype(device_span(std::declval<const V&>()))::element_type>;

/// A row-major matrix in device memory: entry (i, j) is `data()[i * pitch() + j]`. It can be a
/// result if its entries are not const, and a dense graph if it is square: entry (i, j) is the
/// weight of the arc from i to j, or `unreachable` if there is no arc.
template <class T>
class device_matrix_view {
 public:
  using value_type = std::remove_const_t<T>;

  constexpr device_matrix_view() noexcept = default;
  constexpr device_matrix_view(T* data, std::size_t rows, std::size_t columns) noexcept
      : device_matrix_view(data, rows, columns, columns) {}
  /// @param pitch  entries from the start of one row to the start of the next; at least @p columns.
  constexpr device_matrix_view(T* data, std::size_t rows, std::size_t columns,
                               std::size_t pitch) noexcept
      : data_(data), rows_(rows), columns_(columns), pitch_(pitch) {}
  /// A matrix of the first entries of an array, row by row.
  /// @throws std::invalid_argument if the array has fewer than @p rows x @p columns entries.
  constexpr device_matrix_view(device_span<T> entries, std::size_t rows, std::size_t columns)
      : device_matrix_view(entries.data(), rows, columns) {
    if (columns != 0 && entries.size() / columns < rows) {
      throw std::invalid_argument("apsp::device_matrix_view: a matrix of " + std::to_string(rows) +
                                  " x " + std::to_string(columns) + " needs more than " +
                                  std::to_string(entries.size()) + " entries");
    }
  }
  /// Conversion from a mutable to a const view.
  template <class U>
    requires std::is_same_v<T, const U>
  constexpr device_matrix_view(const device_matrix_view<U>& other) noexcept
      : device_matrix_view(other.data(), other.rows(), other.cols(), other.pitch()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t rows() const noexcept { return rows_; }
  constexpr std::size_t cols() const noexcept { return columns_; }
  constexpr std::size_t pitch() const noexcept { return pitch_; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t pitch_ = 0;
};

template <class V>
  requires device_array<std::remove_reference_t<V>>
device_matrix_view(V&&, std::size_t, std::size_t)
    -> device_matrix_view<device_element_t<std::remove_reference_t<V>>>;

template <class T>
inline constexpr bool is_device_resident<device_matrix_view<T>> = true;

/// True for the accessor of an mdspan in device memory. An accessor declares this by a static
/// member `is_host_accessible` that is false; specialise this variable for other accessors, such as
/// `cuda::device_accessor<A>`.
template <class Accessor>
inline constexpr bool is_device_accessor = false;
template <class Accessor>
  requires requires { requires !static_cast<bool>(Accessor::is_host_accessible); }
inline constexpr bool is_device_accessor<Accessor> = true;

namespace detail {

template <class M>
concept device_mdspan = requires {
  requires is_device_accessor<typename std::remove_cvref_t<M>::accessor_type>;
} && std::remove_cvref_t<M>::rank() == 2;

}  // namespace detail

template <detail::device_mdspan M>
inline constexpr bool is_device_resident<M> = true;

namespace detail {

/// @p m as a `device_matrix_view`.
template <class M>
  requires(device_resident<M> && requires(M& m) { m.pitch(); })
constexpr auto device_view_of(M& m) {
  return device_matrix_view(m.data(), m.rows(), m.cols(), m.pitch());
}
/// @throws std::invalid_argument if it is not row-major.
template <device_mdspan M>
constexpr auto device_view_of(M& m) {
  const auto rows = static_cast<std::size_t>(m.extent(0));
  const auto columns = static_cast<std::size_t>(m.extent(1));
  if (rows != 0 && columns > 1 && m.stride(1) != 1) {
    throw std::invalid_argument(
        "apsp: an mdspan in device memory must be row-major: the entries of a row must be "
        "contiguous");
  }
  return device_matrix_view(m.data_handle(), rows, columns, static_cast<std::size_t>(m.stride(0)));
}

}  // namespace detail

/// A matrix in device memory: `device_matrix`, `device_matrix_view`, or an mdspan with a device
/// accessor.
template <class M>
concept readable_device_matrix = requires(std::remove_reference_t<M>& m) {
  typename std::remove_cvref_t<M>::value_type;
  detail::device_view_of(m);
};

/// A matrix in device memory whose entries are writable.
template <class M>
concept writable_device_matrix =
    readable_device_matrix<M> && requires(std::remove_reference_t<M>& m) {
      requires !std::is_const_v<std::remove_pointer_t<decltype(detail::device_view_of(m).data())>>;
    };

}  // namespace apsp::inline v1
