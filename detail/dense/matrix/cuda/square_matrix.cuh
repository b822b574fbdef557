// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace apsp::inline v1::detail::cuda {

/// To be called as f(begin, count, on) when the kernels that make `count` rows from `begin` on
/// final have been enqueued on the stream `on`: for every row once, or for none.
using final_rows = std::function<void(std::size_t, std::size_t, cudaStream_t)>;

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
  const final_rows* when_final = nullptr;  ///< null, or what uses rows before the others are final
};

}  // namespace apsp::inline v1::detail::cuda
