// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include "../detail/centrality/calls.hpp"
#include "betweenness_options.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

namespace detail {

/// Scores of vertices or arcs: a contiguous range of a floating-point type.
template <class R>
concept score_row = result_row<R> && std::floating_point<row_value_t<R>>;

}  // namespace detail

/// Betweenness of vertices and arcs: the sum over all pairs (s, t) of vertices of the share of the
/// shortest paths from s to t that lead through each of them.
///
/// A path does not lead through its ends, unless `endpoints` is set. Pairs without a path, arcs
/// that are no shortest path between their ends, and self-loops add nothing. If that is predicted
/// to be faster, as on roads, grids and meshes, a hierarchy of all shortest paths is made, and
/// sweeps over it count the paths and add up their shares, on all devices of the policy under
/// `cuda_*`; the result's `algorithm()` is then `elimination`. Otherwise many sources are searched
/// from at once, on all devices of the policy under `cuda_*`, or rows of distances are computed as
/// `for_each_row` does and the paths are counted on the host: with a cutoff, from fewer than 16
/// sources, or 64 on a device, for weights that are not above 0, or if that is faster. Up to 64
/// threads share the sources, or 4 on large graphs.
///
/// @param policy      `progress` counts sources; paths longer than a `cutoff` do not count.
/// @param graph       in host memory. Weights may be negative and zero, but a cycle must not have
///                    length 0. Each undirected edge is two arcs.
/// @param sources     any range of vertices, as numbers or as the graph's own vertex descriptors:
///                    only pairs whose first vertex is one of these are summed over.
/// @param scores      a contiguous range of a floating-point type with an entry for each vertex.
/// @param arc_scores  the same for each arc, in the order in which the graph passes them: that of
///                    an array of arcs; of Boost's graphs, that of `out_edges` of one vertex after
///                    the other; of a matrix, that of its entries that are not `unreachable`.
/// @throws std::invalid_argument as `for_each_row` does; if a range has another size, the tolerance
///         is negative or not finite, or the arcs of shortest paths form a cycle, which the message
///         names. Nothing is written then.
/// @return false if the graph has a negative cycle or the call was stopped; nothing is written
///         then. `saturated()` if a distance does not fit; its paths do not count.
/// Sums are in double, with the same bits for any number of threads and devices.
/// Complexity: that of the distances, and O(n + m) for each source; with sweeps about that of
/// an elimination, and O(n + arcs of the hierarchy) for each source. Memory: O(n + m), O(n) for
/// each source that a thread searches from at once, up to 128, or rows of the distances of 256 MiB
/// or of 64 sources, and up to 64 sums of all scores; with sweeps the hierarchy, and up to 64 sums
/// over it. Sources: Brandes 2001 for the shares of one source; Then et al. 2014 for many sources
/// at once; Dibbelt, Strasser and Wagner 2016 for the hierarchy.
template <execution_policy Policy, graph Graph, detail::score_row Scores>
result betweenness(const Policy& policy, const Graph& graph, Scores&& scores,
                   const betweenness_options& options = {}) {
  const detail::every_vertex all;
  return detail::find_betweenness(policy, graph, all, detail::one_row(scores),
                                  detail::no_arc_scores{}, options);
}
template <execution_policy Policy, graph Graph, detail::score_row Scores,
          detail::score_row ArcScores>
result betweenness(const Policy& policy, const Graph& graph, Scores&& scores,
                   ArcScores&& arc_scores, const betweenness_options& options = {}) {
  const detail::every_vertex all;
  return detail::find_betweenness(policy, graph, all, detail::one_row(scores),
                                  detail::one_row(arc_scores), options);
}

/// From some sources.
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::score_row Scores>
  requires(!detail::score_row<Sources>)
result betweenness(const Policy& policy, const Graph& graph, Sources&& sources, Scores&& scores,
                   const betweenness_options& options = {}) {
  return detail::find_betweenness(policy, graph, sources, detail::one_row(scores),
                                  detail::no_arc_scores{}, options);
}
template <execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::score_row Scores, detail::score_row ArcScores>
  requires(!detail::score_row<Sources>)
result betweenness(const Policy& policy, const Graph& graph, Sources&& sources, Scores&& scores,
                   ArcScores&& arc_scores, const betweenness_options& options = {}) {
  return detail::find_betweenness(policy, graph, sources, detail::one_row(scores),
                                  detail::one_row(arc_scores), options);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Policy, class Graph, class... Arguments>
result betweenness(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: betweenness: after the graph, expected, optionally, a list of sources, a "
                "writable contiguous range of floating-point scores, optionally another one for "
                "the arcs, and, optionally, apsp::betweenness_options");
  return {};
}

}  // namespace apsp::inline v1
