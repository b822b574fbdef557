// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some or all vertices, by Dijkstra's algorithm from each of them.
///
/// Under `seq` and `omp`, the nearest vertex is found with a heap, or with a scan if the graph is
/// dense; `omp` distributes the sources over threads. One thread solves one source under
/// `cuda_naive`. One block solves one source under `cuda_tiled`; its threads find the nearest
/// vertex together.
///
/// @param graph      its weights are converted to the distance type. Under `cuda_*`, the graph and
///                   the results may be in device memory; see device_graph.hpp and
///                   device_matrix.hpp. Weights in device memory must have the distance type, and
///                   results there are ready in the order of the policy's stream.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
/// @param over       a semiring that declares `is_selective` and `cycles_never_improve`, or
///                   `min_plus`; others do not compile. See below.
/// @throws std::invalid_argument if a weight is negative (the message names its edge), a matrix has
///         the wrong shape, a source or an edge endpoint is not a vertex, or a weight is NaN or not
///         representable in the distance type. Nothing is written then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @return true, or false with `stopped()` if the policy's stop token requested a stop.
/// Complexity per source: O((n + m) log n) with a heap, O(n^2 + m) with a scan. Memory: copies of
/// the arcs, and O(n) for each thread or, under `cuda_*`, for each source of a batch.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
/// Source: Dijkstra 1959; heaps after Johnson 1977; on a device after Katz and Kider 2008.
///
/// Over a semiring, for the widest path, the most reliable path, or the best path of a user-defined
/// semiring (see semiring.hpp), the distance type is the value type of the semiring. Entry (i, v)
/// receives the value of a best path, `zero` if there is no path, and `one` if v is the source.
/// Extending a path never improves it, so the best open vertex can be settled, whatever the
/// weights: negative weights and minus infinity are ordinary weights, and std::invalid_argument
/// names the edge of a weight that the semiring does not admit. Among parallel edges the best one
/// counts; self-loops change nothing. Each row of predecessors is a tree, even if cycles have the
/// value `one`. Under a `cutoff`, vertices whose best path is worse than the limit are `zero`.
/// Under `cuda_*`, Bellman–Ford runs, and `algorithm()` reports it, over `max_min` and `min_max` of
/// `float`, `double`, `int32_t` and `int64_t`, and over `max_times` of the first two; for other
/// semirings the call falls back to `omp`. Source: Mohri 2002.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring = min_plus<matrix_value_t<Distances>>>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
                const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::dijkstra>(policy, graph, sources, distances, none,
                                                        over);
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type; entry (i, v) receives
///                      the vertex before v on a shortest path from source i, or `no_predecessor`
///                      if v is that source or unreachable. Each row is a tree; `path(predecessors,
///                      i, source, v)` follows it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result dijkstra(const Policy& policy, const Graph& graph, Sources&& sources, Distances&& distances,
                Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::per_source_matrix<algorithm::dijkstra>(policy, graph, sources, distances,
                                                        predecessors, over);
}

/// From a single vertex.
///
/// @param source        its number, or the graph's own vertex descriptor.
/// @param distances     one entry for each of the n vertices: a contiguous range such as
///                      `std::vector` or `std::span`, or an array in device memory.
/// @param predecessors  the same; `path(predecessors, source, v)` follows them.
/// @throws std::invalid_argument as above, and if a range does not have n entries.
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result dijkstra(const Policy& policy, const Graph& graph, const Source& source,
                Distances&& distances, const Semiring& over = {}) {
  return detail::single_source<algorithm::dijkstra>(
      policy, graph, source, detail::one_row(distances), detail::no_predecessors{}, over);
}
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          result_row Predecessors, semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result dijkstra(const Policy& policy, const Graph& graph, const Source& source,
                Distances&& distances, Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::single_source<algorithm::dijkstra>(
      policy, graph, source, detail::one_row(distances), detail::one_row(predecessors), over);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances,
                const Semiring& over = {}) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::dijkstra>(policy, graph, sources, distances, none,
                                                        over);
}

/// From every vertex, with predecessors.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
  requires(!vertex_range<Distances, Graph>)
result dijkstra(const Policy& policy, const Graph& graph, Distances&& distances,
                Predecessors&& predecessors, const Semiring& over = {}) {
  const detail::every_vertex sources;
  return detail::per_source_matrix<algorithm::dijkstra>(policy, graph, sources, distances,
                                                        predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result dijkstra(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::list_or_one, Policy, Graph,
                                   Arguments...>();
}

}  // namespace apsp::inline v1
