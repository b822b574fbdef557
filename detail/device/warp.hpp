// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// How the lanes of a warp share a tile.
namespace apsp::inline v1::detail::cuda {

/// The arrangement of the lanes of a warp in a tile, as rows and columns.
inline constexpr int warp_rows = 4;
inline constexpr int warp_columns = 8;
inline constexpr int warp_size = warp_rows * warp_columns;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// The width of the widest load or store of one thread.
inline constexpr std::size_t vector_bytes = 16;

}  // namespace apsp::inline v1::detail::cuda
