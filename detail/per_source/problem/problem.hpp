// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "../../../apsp/result.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../elimination/coded_hierarchy.hpp"
#include "../../graph/adjacency.hpp"
#include "../../host/solve_outcome.hpp"
#include "../../matrix/row_record.hpp"
#include "../../values/decay.hpp"
#include "../../values/distance_code.hpp"

// The input of a solver of single-source problems, and the interface for its results.
namespace apsp::inline v1::detail {

/// Best paths from some vertices of one graph, whose values are of type C.
template <class C>
struct per_source_problem {
  /// `dijkstra`, `bellman_ford`, `elimination` or `breadth_first_search`.
  algorithm method;
  adjacency_view<C> arcs;
  std::span<const std::int32_t> sources;
  /// Paths beyond this limit do not count; see `summed` for how it keeps sums of integers from
  /// wrapping.
  C limit;
  bool has_negative_weight;
  /// False if no predecessors were requested; predecessor rows are then null.
  bool with_predecessors;
  /// The vertices whose distances are wanted; empty for all. A solver may end a search when it has
  /// found these; the entries of other vertices are then unspecified. Solvers may ignore it.
  std::span<const std::int32_t> targets{};
  /// True if the output takes rows by `finish_reached`; only without predecessors. Solvers may
  /// ignore it.
  bool by_reached = false;
  /// For `elimination` over sums, and for kernels: the graph after it. The code is also that of the
  /// weights.
  const coded_hierarchy<C>* hierarchy = nullptr;
};

/// Receives the rows of a solver: one row per source, n entries each. Called from several threads
/// at once, but by only one thread per row.
template <class C>
class solver_output {
 public:
  virtual ~solver_output() = default;

  /// Memory for the distances of row @p row: n entries that are not accessed by others until
  /// `finish`. Null if the solver must use its own memory.
  virtual C* distances(std::size_t row) = 0;
  /// The same for predecessors.
  virtual std::int32_t* predecessors(std::size_t row) = 0;
  /// Row @p row is final: @p distances holds `none()` where there is no path, and @p predecessors
  /// (null if not wanted) is a tree with -1 for no predecessor. The output may overwrite the
  /// entries.
  virtual void finish(std::size_t row, C* distances, std::int32_t* predecessors) = 0;
  /// May take the place of `finish` if the problem is `by_reached`: all entries of @p distances are
  /// `none()` except those of @p reached, which may repeat vertices.
  virtual void finish_reached(std::size_t /*row*/, const C* /*distances*/,
                              std::span<const std::uint32_t> /*reached*/) {}
  /// True if `finish_totals` may take the place of `finish`. Solvers may ignore it.
  virtual bool takes_totals() const { return false; }
  /// @param totals  of the distances in row @p row; without that of its source.
  virtual void finish_totals(std::size_t /*row*/, const row_record<C>& /*totals*/) {}
  /// The sums of which `finish_sums` may take the place of `finish`; otherwise null. Solvers may
  /// ignore it.
  virtual const weighed_amounts<C>* amounts() const { return nullptr; }
  /// @param sums  of the distances in row @p row, its source included.
  virtual void finish_sums(std::size_t /*row*/, std::span<const double> /*sums*/) {}
};

}  // namespace apsp::inline v1::detail
