// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/centrality/calls.hpp"
#include "betweenness_options.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some vertices, and the number of shortest paths of each.
///
/// Paths are counted by sweeps or searches as in `betweenness`, but sweeps are always on the host,
/// and searches on one device. There is one path from a vertex to itself.
///
/// @param policy     `progress` counts sources; beyond a `cutoff` there is no path.
/// @param graph      as for `betweenness`.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @param distances  a k x n matrix in host memory, row i for source i.
/// @param counts     the same, of a floating-point type, in which counts are rounded beyond 2^53
///                   and may be infinite; or of integers.
/// @throws std::invalid_argument as `betweenness` does, and if a count does not fit an integer or
///         is 2^53 or more; the results are unspecified if a cycle of length 0 or such a count is
///         the reason, and otherwise nothing is written.
/// @return false if the graph has a negative cycle, in which case nothing is written, or if the
///         call was stopped.
/// Complexity and memory: as `betweenness`.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Counts>
result count_paths(const Policy& policy, const Graph& graph, Sources&& sources,
                   Distances&& distances, Counts&& counts, const path_count_options& options = {}) {
  return detail::find_path_counts(policy, graph, sources, distances, counts, options);
}
/// From every vertex.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Counts>
result count_paths(const Policy& policy, const Graph& graph, Distances&& distances, Counts&& counts,
                   const path_count_options& options = {}) {
  const detail::every_vertex all;
  return detail::find_path_counts(policy, graph, all, distances, counts, options);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result count_paths(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: count_paths: after the graph, expected, optionally, a list of sources, a "
                "writable matrix of distances, a writable matrix of counts, both with a row for "
                "each source and a column for each vertex, and, optionally, "
                "apsp::path_count_options");
  return {};
}

}  // namespace apsp::inline v1
