// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

namespace apsp::inline v1::detail::cuda {

/// Places on and above the diagonal, column after column.
struct upper_place {
  int row;
  int column;
};
__host__ __device__ constexpr std::size_t num_upper_places(std::size_t lines) {
  return lines * (lines + 1) / 2;
}
__device__ __forceinline__ upper_place upper_place_of(std::size_t number) {
  // The root is rounded.
  auto column = static_cast<std::size_t>(sqrtf(2 * static_cast<float>(number)));
  while (num_upper_places(column) > number) --column;
  while (num_upper_places(column + 1) <= number) ++column;
  return {static_cast<int>(number - num_upper_places(column)), static_cast<int>(column)};
}

}  // namespace apsp::inline v1::detail::cuda
