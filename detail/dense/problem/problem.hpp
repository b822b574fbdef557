// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../values/distance_code.hpp"

namespace apsp::inline v1::detail {

class matrix_checkpoint;

/// How the closure of a matrix is computed.
enum class closure_method { floyd_warshall, repeated_squaring };

/// The diagonal of the matrix before the first relaxation.
enum class diagonal { zero, as_given };

/// Which closure of a matrix a call computes.
struct closure_kind {
  closure_method method = closure_method::floyd_warshall;
  diagonal diag = diagonal::zero;
};

/// The most arcs of a graph whose predecessors are looked for among its arcs, once the distances
/// are known. With more, the search would take as long as it saves, and the arcs much memory.
constexpr std::size_t most_searched_arcs(std::size_t num_vertices) {
  return num_vertices * num_vertices / 64;
}

/// A matrix in host memory, given as rows, whose closure is computed in place.
///
/// On entry it holds the weights of the arcs, parallel arcs combined by the semiring's plus, and
/// the diagonal requested by the caller. Distances of `min_plus` are coded: see `distance_code`.
template <class S>
struct closure_problem {
  using T = typename S::value_type;

  S semiring;
  std::size_t num_vertices;
  /// The number of edges of the longest path, or of the longest cycle that must be found.
  std::size_t longest_path;
  T* const* distances;
  /// Null, or rows in which entry (u, v) is u where the arc (u, v) exists and -1 elsewhere.
  std::int32_t* const* predecessors;
  /// The value that stands for "no path".
  T zero;
  /// Sums are clamped to this lower bound.
  T floor;
  /// If the matrix equals its transpose, half of it may be relaxed.
  bool may_use_symmetry = true;
  /// False if no weight of `min_plus` is negative.
  bool has_negative_weight = true;
  /// The checkpoints of the call; null: none.
  matrix_checkpoint* files = nullptr;
};

}  // namespace apsp::inline v1::detail
