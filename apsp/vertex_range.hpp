// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ranges>

#include "matrix_traits.hpp"

namespace apsp {

/// A list of vertices: any range, of numbers or of what a graph itself calls a vertex. A matrix whose
/// entries can be iterated over is none.
template <class R>
concept vertex_range = std::ranges::input_range<R> && !readable_matrix<R>;

}  // namespace apsp
