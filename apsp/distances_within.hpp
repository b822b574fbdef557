// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Some distances of a graph, in compressed sparse rows. With one row for each vertex,
/// `csr_view(offsets, targets, distances)` is a graph and a sparse matrix.
template <class T>
class sparse_distances {
 public:
  /// Row i has the entries `offsets[i]` to `offsets[i + 1] - 1`.
  std::vector<std::int64_t> offsets;
  /// The vertex of each entry, ascending within a row.
  std::vector<std::int32_t> targets;
  /// The distance from the source of the row to that vertex.
  std::vector<T> distances;

  /// No rows, and the result of no call.
  sparse_distances() = default;
  explicit sparse_distances(result status) : status_(std::move(status)) {}

  /// What the call reports; if it is false, all rows are empty.
  const result& status() const noexcept { return status_; }
  explicit operator bool() const noexcept { return static_cast<bool>(status_); }

 private:
  result status_;
};

/// All distances from some vertices that are within a cutoff.
///
/// Solves as `for_each_row` does, and throws the same exceptions. On the host, Dijkstra's algorithm
/// visits only the vertices within the cutoff, and the time for a source grows with their number
/// and not with n. A source takes O(n) and more under `cuda_*`, if the graph has n^2 / 16 arcs or
/// more, and if a weight is a negative floating-point number.
///
/// @tparam Distance  the distance type; void selects the weight type.
/// @param policy   a smaller `cutoff` of the policy takes precedence.
/// @param graph    in host memory.
/// @param cutoff   at least 0; pairs at this distance are included.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @throws std::invalid_argument also if the cutoff is negative or NaN.
/// @return one row for each source, in which the source has distance 0; false, with empty rows, if
///         the graph has a negative cycle or the call was stopped.
/// Memory: O(n + m), O(n) for each thread, and twice that of the result.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
auto distances_within(const Policy& policy, const Graph& graph, long double cutoff,
                      Sources&& sources) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::find_distances_within<sparse_distances<distance>, distance>(policy, graph, cutoff,
                                                                             sources);
}

/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
auto distances_within(const Policy& policy, const Graph& graph, long double cutoff) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  const detail::every_vertex sources;
  return detail::find_distances_within<sparse_distances<distance>, distance>(policy, graph, cutoff,
                                                                             sources);
}

// Reports at compile time, in one sentence, why the policy or the graph is not accepted above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
  requires detail::is_misfit<Policy, Graph>
result distances_within(const Policy&, const Graph&, const Arguments&...) {
  static_assert(detail::explain_policy_and_graph<Policy, Graph, Arguments...>());
  return {};
}

}  // namespace apsp::inline v1
