// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::detail::cuda {

/// A square matrix in device memory that somebody else owns, padded to whole tiles.
template <class T>
struct square_matrix {
  T* distances = nullptr;
  std::int32_t* predecessors = nullptr;  ///< null, or of the same pitch
  std::size_t pitch = 0;                 ///< from row to row, in entries
  bool nonnegative = false;              ///< No entry is below zero.
  bool positive = false;                 ///< Nor is one zero, off the diagonal.
};

}  // namespace apsp::detail::cuda
