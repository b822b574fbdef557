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

/// Shortest distances from some or all vertices, by Bellman–Ford; weights may be negative.
///
/// Under `seq` and `omp`, 16 or more sources are searched from in batches, one source in each lane
/// of a vector, which share every read of an arc; a few sources, and types without vectors, one
/// after another, with a queue of the vertices whose distance has decreased. `omp` distributes the
/// batches or the sources over threads. `cuda_naive` solves one source at a time, with the
/// strategy set by `relax`. `cuda_tiled` solves many sources at once, which share every read of an
/// arc; it solves a few sources one after another if that is faster.
///
/// @param graph      its weights are converted to the distance type. Under `cuda_*`, the graph and
///                   the results may be in device memory; see device_graph.hpp and
///                   device_matrix.hpp. Weights in device memory must have the distance type, and
///                   results there are ready in the order of the policy's stream.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
///                   Duplicates are allowed.
/// @param distances  one row per source, in the order of `sources`, and n columns; entry (i, v)
///                   receives the length of a shortest path from source i to v, or `unreachable`.
/// @param over       a semiring as for `dijkstra`, with the same meaning.
/// @throws std::invalid_argument if a matrix has the wrong shape, a source or an edge endpoint is
///         not a vertex, or a weight is NaN, minus infinity or not representable in the distance
///         type. Nothing is written then.
/// @throws device_error if no device is usable and either the policy is `required()` or data are in
///         device memory; if device memory is insufficient; or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if a source reaches a negative cycle, or with
///         `stopped()`; `distances` are then unspecified. A cycle of floating-point weights counts
///         as negative only if it is negative by more than the rounding error; if rounding could
///         make a cycle negative, the graph is reweighted, and `algorithm()` is `johnson`.
/// Complexity per source: O(n m); O(m) for each pass, until the last change. Memory as for
/// `dijkstra`; on a host each thread also keeps a batch of up to 128 rows.
/// Integers never wrap: a distance that does not fit becomes `unreachable`, and `saturated()` is
/// true.
/// Source: Bellman 1958, Ford 1956, Moore 1959; batches on a host after Then et al. 2014; on a
/// device after Harish and Narayanan 2007, many sources at once after Okuyama, Ino and Hagihara
/// 2012.
///
/// Over a semiring other than `min_plus` there are no negative cycles. If rounding in a
/// user-defined semiring makes a cycle improve paths, Dijkstra's algorithm runs instead, and
/// `algorithm()` reports it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, semiring Semiring = min_plus<matrix_value_t<Distances>>>
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances, const Semiring& over = {}) {
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::bellman_ford>(policy, graph, sources, distances, none,
                                                            over);
}

/// As above, and also stores the predecessors.
///
/// @param predecessors  the same shape as `distances`, of an integer type; entry (i, v) receives
///                      the vertex before v on a shortest path from source i, or `no_predecessor`
///                      if v is that source or unreachable. With a cutoff, a vertex beyond it keeps
///                      its predecessor if the path to another vertex passes through it. Each row
///                      is a tree, even if cycles of weight 0 exist; `path(predecessors, i, source,
///                      v)` follows it.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result bellman_ford(const Policy& policy, const Graph& graph, Sources&& sources,
                    Distances&& distances, Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::per_source_matrix<algorithm::bellman_ford>(policy, graph, sources, distances,
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
result bellman_ford(const Policy& policy, const Graph& graph, const Source& source,
                    Distances&& distances, const Semiring& over = {}) {
  return detail::single_source<algorithm::bellman_ford>(
      policy, graph, source, detail::one_row(distances), detail::no_predecessors{}, over);
}
template <execution_policy Policy, graph Graph, single_vertex<Graph> Source, result_row Distances,
          result_row Predecessors, semiring Semiring = min_plus<detail::row_value_t<Distances>>>
result bellman_ford(const Policy& policy, const Graph& graph, const Source& source,
                    Distances&& distances, Predecessors&& predecessors, const Semiring& over = {}) {
  return detail::single_source<algorithm::bellman_ford>(
      policy, graph, source, detail::one_row(distances), detail::one_row(predecessors), over);
}

/// From every vertex: both matrices are n x n, and row u belongs to vertex u.
template <execution_policy Policy, graph Graph, result_matrix Distances,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances,
                    const Semiring& over = {}) {
  const detail::every_vertex sources;
  detail::no_predecessors none;
  return detail::per_source_matrix<algorithm::bellman_ford>(policy, graph, sources, distances, none,
                                                            over);
}

/// From every vertex, with predecessors.
template <execution_policy Policy, graph Graph, result_matrix Distances, result_matrix Predecessors,
          semiring Semiring = min_plus<matrix_value_t<Distances>>>
  requires(!vertex_range<Distances, Graph>)
result bellman_ford(const Policy& policy, const Graph& graph, Distances&& distances,
                    Predecessors&& predecessors, const Semiring& over = {}) {
  const detail::every_vertex sources;
  return detail::per_source_matrix<algorithm::bellman_ford>(policy, graph, sources, distances,
                                                            predecessors, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result bellman_ford(const Policy&, const Graph&, const Arguments&...) {
  return detail::explain_arguments<detail::taken_sources::list_or_one, Policy, Graph,
                                   Arguments...>();
}

}  // namespace apsp::inline v1
