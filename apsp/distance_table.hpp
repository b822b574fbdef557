// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some vertices to some vertices, for example between warehouses and
/// customers.
///
/// Searches as `for_each_row` does, once from each distinct source, or, if there are fewer distinct
/// targets, once from each of those along reversed arcs. On the host, a search of Dijkstra's
/// algorithm ends when it has settled all vertices of the other list, so fewer than 64 targets that
/// are near cost little. A `contraction_hierarchy` is swept from the sources if that is predicted
/// to be faster than searches.
///
/// @param policy   `progress` counts searches; a distance above a `cutoff` is `unreachable`.
/// @param graph    in host memory; its weights are converted to the type of the table.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors; it
///                 may be empty and have duplicates.
/// @param targets  the same.
/// @param table    a matrix in host memory with one row for each source and one column for each
///                 target, in the order of the lists; entry (i, j) receives the length of a
///                 shortest path from source i to target j, or `unreachable`.
/// @param over     a semiring as for `dijkstra`, whose value type is that of the table; entry (i,
///                 j) receives the value of a best path. All searches are then from the sources,
///                 and each of them covers the whole graph.
/// @throws std::invalid_argument if the table has the wrong shape, a source, a target or an edge
///         endpoint is not a vertex, or a weight is NaN or not representable in the type of the
///         table. Nothing is written then.
/// @throws device_error if no device is usable and the policy is `required()`, if device memory is
///         insufficient, or if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, in which case nothing
///         is written; or false with `stopped()`. `saturated()` if an entry does not fit.
/// Complexity: the searches of the algorithm, and O(n + m) to read the graph. Memory on the host:
/// O(n + m), and O(n) for each thread.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          vertex_range<Graph> Targets, result_matrix Table,
          semiring Semiring = min_plus<matrix_value_t<Table>>>
result distance_table(const Policy& policy, const Graph& graph, Sources&& sources,
                      Targets&& targets, Table&& table, const Semiring& over = {}) {
  return detail::check_and_fill_table(policy, graph, sources, targets, table, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result distance_table(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: distance_table: after the graph, expected a list of sources, a list of "
                "targets, a writable matrix with a row for each source and a column for each "
                "target, and, optionally, a semiring");
  return {};
}

}  // namespace apsp::inline v1
