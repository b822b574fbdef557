// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

// What sweeps over a hierarchy of shortest paths read.
namespace apsp::inline v1::detail {

/// Numbers of paths beyond this are out of range: their reciprocals may not be normal numbers.
inline constexpr double most_paths = 1e300;

/// An arc between a place and one of its ancestors, which is told by its depth in the tree.
struct path_arc {
  double weight;
  double count;  ///< Of the shortest paths that it stands for; above 0.
  std::int32_t depth;
};

/// The arcs of one direction.
struct path_arcs_by_place {
  const std::int64_t* offsets;
  const path_arc* arcs;
};

struct path_sweep_graph {
  std::size_t num_places;
  const std::int32_t* depths;  ///< By place.
  path_arcs_by_place up;
  path_arcs_by_place down;
  double tolerance;  ///< Relative to the length.
};

}  // namespace apsp::inline v1::detail
