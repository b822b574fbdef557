// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../device/check.cuh"
#include "../../device/warp.hpp"
#include "product_operands.cuh"

// Copies of operands of products.
namespace apsp::inline v1::detail::cuda {

/// A rectangle of words and the place of its copy. Both begin at a multiple of `vector_bytes`.
template <class Word>
struct word_rectangle {
  const Word* from = nullptr;
  std::size_t from_pitch = 0;
  Word* to = nullptr;
  std::size_t to_pitch = 0;
  std::size_t rows = 0;
  std::size_t width = 0;  ///< words of a row of `from`, whole vectors
};

/// The CUDA blocks of `copy_operands_kernel`.
struct operand_copy_shape {
  unsigned rows = 8;
  unsigned most_blocks_across = 64;
  unsigned most_blocks_down = 4096;
};
inline constexpr operand_copy_shape operand_copy{};

/// Calls f(from, to) for the vectors of a rectangle. A vector of `from` becomes @p ratio of `to`.
template <class Word, class F>
__device__ __forceinline__ void for_each_vector(const word_rectangle<Word>& words, int ratio, F f) {
  using vector = vector_of<Word>;
  for (std::size_t row = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y; row < words.rows;
       row += std::size_t{gridDim.y} * blockDim.y) {
    const Word* const from = words.from + row * words.from_pitch;
    Word* const to = words.to + row * words.to_pitch;
    for (std::size_t column =
             (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * std::size_t{vector::size};
         column < words.width;
         column += std::size_t{gridDim.x} * blockDim.x * std::size_t{vector::size}) {
      f(*reinterpret_cast<const vector*>(from + column),
        to + column * static_cast<std::size_t>(ratio));
    }
  }
}

template <class Word>
launch_shape shape_of_copy(const word_rectangle<Word>& right, const word_rectangle<Word>& left,
                           cudaStream_t on) {
  const auto blocks = [](std::size_t count, std::size_t per_block, unsigned most) {
    return static_cast<unsigned>(
        std::clamp<std::size_t>((count + per_block - 1) / per_block, 1, most));
  };
  constexpr std::size_t words_across = std::size_t{warp_size} * vector_of<Word>::size;
  return {
      dim3(
          blocks(std::max(right.width, left.width), words_across, operand_copy.most_blocks_across),
          blocks(std::max(right.rows, left.rows), operand_copy.rows, operand_copy.most_blocks_down),
          2),
      dim3(static_cast<unsigned>(warp_size), operand_copy.rows), on};
}

}  // namespace apsp::inline v1::detail::cuda
