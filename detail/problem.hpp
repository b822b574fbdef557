// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::detail {

/// A distance matrix to be relaxed in place, as rows in host memory.
///
/// On entry it holds the weights of the arcs, the lightest of parallel ones, and the diagonal as
/// the caller wants it. Distances are coded: see `distance_code`.
template <class T>
struct host_problem {
  std::size_t num_vertices;
  T* const* distances;
  /// Null, or rows in which entry (u, v) is u where the arc (u, v) exists and -1 elsewhere.
  std::int32_t* const* predecessors;
  /// What stands for "no path".
  T unreachable;
  /// Sums are kept from sinking below it.
  T floor;
};

}  // namespace apsp::detail
