// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/per_source/calls.hpp"
#include "dense.hpp"  // a square matrix is a graph by itself
#include "graph.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "semiring.hpp"
#include "vertex_range.hpp"

namespace apsp {

/// Shortest distances from some vertices, given row by row to a function: no matrix is made.
///
/// Runs Dijkstra's algorithm, under `cuda_*` Bellman–Ford, and Johnson's algorithm if a weight is
/// negative. On a device the next batch of sources is solved while the rows of the last one
/// travel to the host; `memory_limit` bounds the device memory that takes.
///
/// @tparam Distance  the type of the distances; void: that of the weights.
/// @param graph      under `cuda_*` it may lie in device memory: see device_graph.hpp. Its weights are then of
///                   the type of the distances.
/// @param sources    any range of vertices: numbers, or what the graph itself calls a vertex.
/// @param f          called once for every source, as `f(source, distances)` with a `std::size_t` and a
///                   `std::span<const Distance>` of n entries, or as `f(source, distances, predecessors)`
///                   with a `std::span<const std::int32_t>` as well, where `no_predecessor` is -1. The
///                   spans are valid during the call. One call at a time, in any order, from any thread,
///                   and none after one that throws; what it throws comes out here, once the batch in work
///                   is done.
/// @throws std::invalid_argument as `johnson` does, before the first call of f; device_error as it does,
///         and later too if a CUDA call fails.
/// @return false, with `negative_cycle()`, when the graph has one: f is not called then; or `stopped()`.
/// Complexity: that of the algorithm. Memory on the host: O(n + m), and O(n) for each thread.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          class F>
result for_each_row(const Policy& policy, const Graph& graph, Sources&& sources, F&& f) {
  using distance = std::conditional_t<std::is_void_v<Distance>, weight_type_t<Graph>, Distance>;
  return detail::per_source_rows<distance>(policy, graph, sources, f);
}

/// The same over a semiring, as `dijkstra` over it says; by Dijkstra's algorithm, under `cuda_*` by
/// Bellman–Ford.
///
/// @tparam Distance  the value type of the semiring; void: that as well.
/// @throws std::invalid_argument as `dijkstra` over a semiring does, before the first call of f.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          class F, semiring Semiring>
result for_each_row(const Policy& policy, const Graph& graph, Sources&& sources, F&& f,
                    const Semiring& over) {
  using value = typename Semiring::value_type;
  using distance = std::conditional_t<std::is_void_v<Distance>, value, Distance>;
  return detail::per_source_rows_over<distance>(policy, graph, sources, f, over);
}

}  // namespace apsp
