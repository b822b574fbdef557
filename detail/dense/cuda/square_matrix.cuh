// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::detail::cuda {

/// A non-owning square matrix in device memory, padded to whole tiles.
template <class T>
struct square_matrix {
  T* distances = nullptr;
  std::int32_t* predecessors = nullptr;  ///< null, or with the same pitch
  std::size_t pitch = 0;                 ///< from row to row, in entries
  bool nonnegative = false;              ///< True if no entry is below zero.
  bool positive = false;   ///< True if, in addition, no entry off the diagonal is zero.
  bool symmetric = false;  ///< True if it equals its transpose, also while it is relaxed.
  bool whole = false;      ///< True if every entry is a whole number or stands for "no path".
};

}  // namespace apsp::detail::cuda
