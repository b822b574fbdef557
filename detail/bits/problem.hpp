// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../apsp/bit_matrix.hpp"

namespace apsp::inline v1::detail {

/// The bits of a `bit_matrix` as passed to the compiled solvers.
template <class Word>
struct basic_bit_view {
  Word* words;
  std::size_t rows;
  std::size_t columns;
  std::size_t pitch;  ///< in words, a multiple of a cache line

  Word* row(std::size_t i) const { return words + i * pitch; }
};
using bit_view = basic_bit_view<std::uint64_t>;
using const_bit_view = basic_bit_view<const std::uint64_t>;

inline bit_view view_of(bit_matrix& m) {
  return {m.rows() == 0 ? nullptr : m.words(0).data(), m.rows(), m.cols(), m.pitch()};
}
inline const_bit_view view_of(const bit_matrix& m) {
  return {m.rows() == 0 ? nullptr : m.words(0).data(), m.rows(), m.cols(), m.pitch()};
}

/// The arcs of a graph, grouped by source vertex.
struct arc_view {
  const std::size_t* offsets;  ///< num_vertices + 1 of them
  const std::int32_t* targets;
};

}  // namespace apsp::inline v1::detail
