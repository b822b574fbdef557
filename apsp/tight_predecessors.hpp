// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/centrality/calls.hpp"
#include "betweenness_options.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "predecessor_lists.hpp"
#include "result.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some vertices, and all predecessors of each vertex on all shortest
/// paths, passed source by source to a function.
///
/// Distances are computed as `for_each_row` does, on a device under `cuda_*`. The arcs on shortest
/// paths are found by searches from many sources at once, on a device as well; where sweeps over a
/// hierarchy are faster, weights are not above 0, there is a cutoff or there are fewer than 64
/// sources, from rows of distances on the host. `shortest_paths` enumerates the paths.
///
/// @tparam Distance  the distance type; void selects the weight type.
/// @param policy   `progress` counts sources; beyond a `cutoff` there is no path.
/// @param graph    as for `betweenness`.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @param f        called once per source as `f(row, source, distances, predecessors)`: `row` is
///                 the position of the source in the list, in which sources may repeat, and
///                 `source` its number, both `std::size_t`; `distances` is a
///                 `std::span<const Distance>` of n entries; and `predecessors` a
///                 `predecessor_lists_view`, in which `predecessors[v]` is a
///                 `std::span<const std::int32_t>` of all vertices from which an arc on a shortest
///                 path from the source leads to v, ascending. Each is there once, also if several
///                 parallel arcs do so. The source and unreachable vertices have none. All of it is
///                 valid during the call only. Rows come in any order, and from any thread; calls
///                 do not overlap. f is not called again after it throws; its exception propagates
///                 to the caller.
/// @param options  the tolerance; `merge_parallel` changes nothing.
/// @throws std::invalid_argument as `betweenness` does, before the first call of f, unless a cycle
///         of length 0 is the reason: f may have been called for other sources then.
/// @return false if the graph has a negative cycle, in which case f is not called; or false if the
///         call was stopped. `saturated()` if a distance does not fit; the vertex is then
///         unreachable.
/// Complexity: that of the distances, and O(n + m) for each source. Memory: O(n + m), and for each
/// thread O(n) and the arcs on shortest paths from one source, 32 if a device finds them; and rows
/// of distances of 256 MiB or of 64 sources.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          class F>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
result tight_predecessors(const Policy& policy, const Graph& graph, Sources&& sources, F&& f,
                          const path_count_options& options = {}) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  return detail::pass_tight_predecessors<distance>(policy, graph, sources, f, options);
}
/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph, class F>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>> &&
           !vertex_range<F, Graph>)
result tight_predecessors(const Policy& policy, const Graph& graph, F&& f,
                          const path_count_options& options = {}) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  const detail::every_vertex all;
  return detail::pass_tight_predecessors<distance>(policy, graph, all, f, options);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
result tight_predecessors(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(
      is_explained,
      "apsp: tight_predecessors: after the graph, expected, optionally, a list of sources, a "
      "function and, optionally, apsp::path_count_options");
  return {};
}

}  // namespace apsp::inline v1
