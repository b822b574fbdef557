// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../values/distance_code.hpp"

namespace apsp::detail {

/// How the closure of a matrix is computed.
enum class closure_method { floyd_warshall, repeated_squaring };

/// A matrix whose closure is to be computed in place, as rows in host memory.
///
/// On entry it holds the weights of the arcs, parallel ones added by the semiring's plus, and the
/// diagonal as the caller wants it. Distances of `min_plus` are coded: see `distance_code`.
template <class S>
struct closure_problem {
  using T = typename S::value_type;

  S semiring;
  std::size_t num_vertices;
  /// The edges of the longest path, or of the longest cycle that has to be found.
  std::size_t longest_path;
  T* const* distances;
  /// Null, or rows in which entry (u, v) is u where the arc (u, v) exists and -1 elsewhere.
  std::int32_t* const* predecessors;
  /// What stands for "no path".
  T zero;
  /// Sums are kept from falling below it.
  T floor;
};

}  // namespace apsp::detail
