// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "../../apsp/result.hpp"
#include "../../apsp/unreachable.hpp"
#include "../graph/adjacency.hpp"
#include "../values/distance_code.hpp"

// What a solver of single-source problems is given, and how it hands the answers back.
namespace apsp::detail {

/// Best paths from some vertices of one graph, whose values are of type C.
template <class C>
struct per_source_problem {
  /// `dijkstra` or `bellman_ford`.
  algorithm method;
  adjacency_view<C> arcs;
  std::span<const std::int32_t> sources;
  /// A path beyond this is none; see `summed` for how it keeps sums of integers from wrapping.
  C limit;
  bool has_negative_weight;
  /// False if the user asked for no predecessors; rows of them are then null.
  bool with_predecessors;
};

/// How a solver ended.
enum class solve_outcome {
  finished,
  stopped,       ///< Because it was asked to.
  not_converged  ///< Rounding makes a cycle look negative that is not.
};

/// Receives the rows of a solver: one row per source, n entries each. Called from several threads at
/// once, but for one row only by one.
template <class C>
class row_sink {
 public:
  virtual ~row_sink() = default;

  /// Where to put the distances of row @p row: n entries that nobody else touches until `finish`. Null
  /// if the solver must use memory of its own.
  virtual C* distances(std::size_t row) = 0;
  /// The same for predecessors.
  virtual std::int32_t* predecessors(std::size_t row) = 0;
  /// Row @p row is final and lies at @p distances, `none()` where there is no path, and at @p predecessors
  /// (null without), a tree with -1 for none. Entries are changed on the way to what the user sees.
  virtual void finish(std::size_t row, C* distances, std::int32_t* predecessors) = 0;
};

}  // namespace apsp::detail
