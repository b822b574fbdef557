// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// A warp, and how its lanes share a tile.
namespace apsp::detail::cuda {

/// How many lanes of a warp lie below and beside each other in a tile.
inline constexpr int warp_rows = 4;
inline constexpr int warp_columns = 8;
inline constexpr int warp_size = warp_rows * warp_columns;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// The width of the widest load and store of one thread.
inline constexpr std::size_t vector_bytes = 16;

}  // namespace apsp::detail::cuda
