// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/semiring_edges.hpp"

// What a solver of single-source problems is given where paths are not added up but joined as a semiring
// says.
namespace apsp::detail {

/// A semiring in which every pair of vertices has a best path, found by looking at paths that pass no
/// vertex twice: what the algorithms from one source rely on.
template <class S>
concept best_path_semiring = selective_semiring<S> && says_cycles_never_improve<S>();

/// Best paths from some vertices of one graph.
template <class S>
struct semiring_problem {
  using value = typename S::value_type;

  /// `dijkstra` or `bellman_ford`.
  algorithm method;
  const S& semiring;
  adjacency_view<value> arcs;
  std::span<const std::int32_t> sources;
  /// Paths that this is better than are none.
  std::optional<value> cutoff;
  /// False if the user asked for no predecessors; rows of them are then null.
  bool with_predecessors;

  /// True if a path of value @p v is too bad to be one.
  bool is_beyond(const value& v) const { return cutoff && is_better(semiring, *cutoff, v); }
};

}  // namespace apsp::detail
