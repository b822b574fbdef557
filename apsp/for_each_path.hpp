// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/queries/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest paths between the two vertices of each pair, passed to a function, without a matrix of
/// predecessors.
///
/// With a `contraction_hierarchy`, hosts find the distances as `distances_of_pairs` does, and then
/// the vertices of each path one after the other: the next arc is one that leads closer by its
/// length, where the lengths that remain are those of ancestors in the elimination tree. Otherwise
/// solves for rows with predecessors from the distinct sources, as `for_each_row` does.
///
/// @tparam Distance  the distance type; void selects the weight type, or the value type of `over`.
/// @param policy   `progress` counts searches, or pairs whose distance is found by climbing; beyond
/// a
///                 `cutoff` there is no path.
/// @param graph    in host memory.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors; it
///                 may be empty and have duplicates.
/// @param targets  the same, as many.
/// @param f        called once per pair as `f(pair, distance, path)`: `pair` is the position in the
///                 lists, a `std::size_t`; `distance` a `const Distance&`; and `path` a
///                 `std::span<const std::int32_t>` of the vertices of a shortest path from the
///                 source to the target, both included, which is empty if there is none. It is
///                 valid during the call only. Pairs come in any order, and from any thread; calls
///                 do not overlap. f is not called again after it throws; its exception propagates
///                 to the caller.
/// @param over     a semiring as for `dijkstra`.
/// @throws std::invalid_argument if the lists have different sizes, and as `for_each_row` does,
///         before the first call of f; device_error as `for_each_row` does.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, in which case f is
///         not called; or false with `stopped()`.
///
/// Of several shortest paths any may be passed. The length of a path of floating-point weights is
/// the distance up to rounding.
///
/// Complexity: with a hierarchy, for each vertex of a path the arcs of its neighbors' ancestors
/// that its own ancestors do not have in common with them; otherwise that of the rows.
/// Source: Strasser, Zeitz 2021 (lazily evaluated distances to a target).
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          vertex_range<Graph> Targets, class F,
          semiring Semiring = detail::default_sums<Distance, Graph>>
result for_each_path(const Policy& policy, const Graph& graph, Sources&& sources, Targets&& targets,
                     F&& f, const Semiring& over = {}) {
  using value = typename Semiring::value_type;
  using distance = std::conditional_t<std::is_void_v<Distance>, value, Distance>;
  return detail::pass_paths<distance>(policy, graph, sources, targets, f, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
result for_each_path(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: for_each_path: after the graph, expected a list of sources, a list of "
                "targets, a function and, optionally, a semiring");
  return {};
}

}  // namespace apsp::inline v1
