// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

/// Shortest distances from some vertices, passed row by row to a function, without a matrix.
///
/// Runs Dijkstra's algorithm, and Johnson's algorithm if a weight is negative; Bellman–Ford,
/// elimination or, under `seq` and `omp`, breadth-first search where that is predicted to be
/// faster. On a device, the next batch of sources is solved while the rows of the last batch are
/// transferred to the host; `memory_limit` bounds the device memory used.
///
/// @tparam Distance  the distance type; void selects the weight type, or the value type of `over`.
/// @param graph      under `cuda_*` it may be in device memory, see device_graph.hpp; its weights
///                   must then have the distance type.
/// @param sources    any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @param f          called once per source, in the first of these ways in which it can be called:
///                   `f(source, distances, predecessors)`, `f(source, distances)`,
///                   `f(row, source, distances, predecessors)`, `f(row, source, distances)`. Here
///                   `row` is the position of the source in the list, in which sources may repeat,
///                   and `source` its number, both `std::size_t`; `distances` is a
///                   `std::span<const Distance>` and `predecessors` a
///                   `std::span<const std::int32_t>`, in which `no_predecessor` is -1, of n
///                   entries. The spans are valid during the call only. **Rows come in any order,
///                   not that of the list**, and from any thread; calls do not overlap. f is not
///                   called again after it throws; its exception propagates to the caller when the
///                   current batch is finished.
/// @param over       a semiring as for `dijkstra`, with the same meaning; Dijkstra's algorithm,
///                   Bellman–Ford or elimination then runs, under `cuda_*` Bellman–Ford.
/// @throws std::invalid_argument as `johnson` does, or `dijkstra` over a semiring, before the first
///         call of f; device_error as `johnson` does, and also later if a CUDA call fails.
/// @return false, with `negative_cycle()`, if the graph has a negative cycle, in which case f is
///         not called; or false with `stopped()`.
/// Complexity: that of the algorithm. Memory on the host: O(n + m), and O(n) for each thread.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          class F, semiring Semiring = detail::default_sums<Distance, Graph>>
result for_each_row(const Policy& policy, const Graph& graph, Sources&& sources, F&& f,
                    const Semiring& over = {}) {
  using value = typename Semiring::value_type;
  using distance = std::conditional_t<std::is_void_v<Distance>, value, Distance>;
  return detail::per_source_rows<distance>(policy, graph, sources, f, over);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
result for_each_row(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: for_each_row: after the graph, expected a list of sources, a function "
                "and, optionally, a semiring");
  return {};
}

}  // namespace apsp::inline v1
