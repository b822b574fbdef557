// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>

namespace apsp::inline v1::detail {

/// The number of squarings until paths may have @p num_edges edges: every squaring doubles the
/// number of edges.
constexpr int squarings_needed(std::size_t num_edges) {
  return num_edges <= 1 ? 0 : static_cast<int>(std::bit_width(num_edges - 1));
}

static_assert(squarings_needed(1) == 0 && squarings_needed(2) == 1 && squarings_needed(3) == 2 &&
              squarings_needed(4) == 2 && squarings_needed(5) == 3 && squarings_needed(8) == 3);

}  // namespace apsp::inline v1::detail
