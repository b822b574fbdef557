// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "../../../apsp/config.hpp"

namespace apsp::inline v1::detail::host {

/// Bytes of one core's data caches.
struct cache_sizes {
  std::size_t level1;
  std::size_t level2;
};

/// Vertices per tile, and the depth of the panels: a power of two, and at least the widest strip,
/// so that a tile consists of whole strips. A strip of a panel, which every row of a tile passes,
/// fits in the first-level cache. A tile and both of its operands fit in half of the second-level
/// cache; the other half is for the next data.
constexpr std::size_t tile_size(const cache_sizes& caches, std::size_t entry_bytes,
                                std::size_t strip_bytes) {
  constexpr std::size_t smallest = 64;
  constexpr std::size_t largest = 256;
  std::size_t size = std::max(smallest, strip_bytes / entry_bytes);
  while (size < largest && 2 * size * strip_bytes <= caches.level1 &&
         3 * (2 * size) * (2 * size) * entry_bytes <= caches.level2 / 2) {
    size *= 2;
  }
  return size;
}

/// The caches of this machine as reported by the system, or typical sizes if it does not report
/// them.
APSP_EXPORT const cache_sizes& data_caches();

/// The tile size of this machine for entries of type T and strips of that many entries.
template <class T>
std::size_t tile_size(std::size_t strip_width) {
  return tile_size(data_caches(), sizeof(T), strip_width * sizeof(T));
}

}  // namespace apsp::inline v1::detail::host
