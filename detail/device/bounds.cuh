// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Binary searches in ascending values.
namespace apsp::inline v1::detail::cuda {

/// The last of @p count ascending values that is at most @p value; the first one must be.
template <class Index>
__device__ __forceinline__ Index last_not_above(const std::int64_t* values, Index count,
                                                std::int64_t value) {
  Index begin = 0;
  Index end = count;
  while (end - begin > 1) {
    const Index middle = begin + (end - begin) / 2;
    if (values[middle] <= value) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// The first of @p count ascending values that is not below @p value, or @p count.
template <class X>
__device__ __forceinline__ std::size_t first_not_below(const X* values, std::size_t count,
                                                       std::size_t value) {
  std::size_t begin = 0;
  std::size_t end = count;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (static_cast<std::size_t>(values[middle]) < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace apsp::inline v1::detail::cuda
