// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <type_traits>

#include "matrix.hpp"
#include "unreachable.hpp"

namespace apsp::inline v1 {

/// A non-owning view of an array of `size()` x `extent()` x `extent()` entries in host memory: one
/// matrix for each graph of a batch, whatever their numbers of vertices, as graph transformers and
/// other programs for tensors expect.
///
/// In the matrix of a graph of n vertices, the first n entries of the first n rows are distances,
/// and all others the value for padding. A pair without a path gets the value for "unreachable",
/// which can be any value, such as 255, 510 or -1. A distance that is above the range of T, that
/// equals a value for "unreachable" other than 0, or that is above one that is greater than 0,
/// becomes this value, and `saturated()` is set; a distance below the range of T becomes the lowest
/// value, as elsewhere. 0 as the value for "unreachable" also is the distance of a vertex from
/// itself.
template <class T>
class padded_matrices {
 public:
  using value_type = T;

  /// @param data            memory for size * extent * extent entries; entry (i, u, v) is
  ///                        `data[(i * extent + u) * extent + v]`.
  /// @param size            the number of matrices.
  /// @param extent          the number of rows and of columns of a matrix: the most vertices of a
  ///                        graph.
  /// @param no_path         the value for "unreachable".
  /// @param padding         the value of the other entries; by default the same.
  constexpr padded_matrices(T* data, std::size_t size, std::size_t extent,
                            std::type_identity_t<T> no_path,
                            std::type_identity_t<T> padding) noexcept
      : data_(data), size_(size), extent_(extent), no_path_(no_path), padding_(padding) {}
  constexpr padded_matrices(T* data, std::size_t size, std::size_t extent,
                            std::type_identity_t<T> no_path = unreachable<T>) noexcept
      : padded_matrices(data, size, extent, no_path, no_path) {}

  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t extent() const noexcept { return extent_; }
  constexpr T* data() const noexcept { return data_; }
  constexpr const T& no_path() const noexcept { return no_path_; }
  constexpr const T& padding() const noexcept { return padding_; }

  /// Matrix @p i, with its padding.
  constexpr matrix_view<T> operator[](std::size_t i) const noexcept {
    return {data_ + i * extent_ * extent_, extent_, extent_};
  }

 private:
  T* data_;
  std::size_t size_;
  std::size_t extent_;
  T no_path_;
  T padding_;
};

}  // namespace apsp::inline v1
