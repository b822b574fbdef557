// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../detail/accessibility/calls.hpp"
#include "dense.hpp"  // makes a square matrix a graph
#include "distance_decay.hpp"
#include "graph.hpp"
#include "matrix_traits.hpp"
#include "policy.hpp"
#include "result.hpp"
#include "result_row.hpp"
#include "vertex_range.hpp"

namespace apsp::inline v1 {

namespace detail {

/// Amounts, or their sums: a matrix, or a range as a matrix of one column.
template <class M>
concept columns_of_numbers = readable_matrix<M> || host_row<std::remove_reference_t<M>>;

template <columns_of_numbers M>
decltype(auto) as_columns(M& m) {
  if constexpr (readable_matrix<M>) {
    return (m);
  } else {
    return one_column(m);
  }
}

}  // namespace detail

/// What can be reached from each source, by distance: the sum over all vertices t of `amounts[t]`
/// times the share that counts at the distance from the source to t. Jobs within 30 minutes, for
/// example, or the potential of a gravity model.
///
/// The source itself is at distance 0, and vertices that are not reached add nothing. For what
/// reaches each vertex instead, take `reversed(graph)`. Solves as `for_each_row` does, and throws
/// the same exceptions; amounts are added up where distances are computed, without rows, by
/// `elimination` in the first-level cache of a host and in registers of a device. If all cutoffs
/// are finite, a search ends there.
///
/// @tparam Distance  the distance type; void selects the weight type.
/// @param policy   vertices at distances above a `cutoff` add nothing, whatever the decay.
/// @param graph    in host memory.
/// @param sources  any range of vertices, as numbers or as the graph's own vertex descriptors.
/// @param amounts  an n x c matrix of finite numbers, or a contiguous range of n.
/// @param decay    `within`, `exponential`, `power`, `linear` or `gaussian`; or a function that is
///                 called as f(distances, shares) with a `std::span<const Distance>` of distances
///                 in any order and a `std::span<double>` of as many shares to be assigned, by one
///                 thread at a time, also under `cuda_*`.
/// @param sums     a k x c matrix of a floating-point type, or a contiguous range if c is 1; row i
///                 receives the sums of source i. With l cutoffs of `within` it has c l columns: of
///                 the first column of amounts within each of them, of the second, and so on.
/// @throws std::invalid_argument also if a matrix has another shape, an amount is not finite, or a
///         share is NaN. Nothing is written then, except in the last case.
/// @return false if the graph has a negative cycle or the call was stopped.
/// Complexity: that of `for_each_row`, and O(c l) for each distance; if all cutoffs are finite, a
/// search visits what is within the largest alone. Memory: O(n (c + 1) + m), and O(n) for each
/// thread. Source of the sums inside sweeps: Delling, Goldberg, Nowatzyk and Werneck 2013.
/// Amounts are added up in double: with the same bits for any number of threads under `seq` and
/// `omp`, and on a device in another order.
template <class Distance = void, execution_policy Policy, graph Graph, vertex_range<Graph> Sources,
          detail::columns_of_numbers Amounts, class Decay, detail::columns_of_numbers Sums>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
result accessibility(const Policy& policy, const Graph& graph, const Sources& sources,
                     const Amounts& amounts, Decay&& decay, Sums&& sums) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  auto&& to = detail::as_columns(sums);
  return detail::find_accessibility<distance>(policy, graph, sources, detail::as_columns(amounts),
                                              decay, to);
}

/// From every vertex.
template <class Distance = void, execution_policy Policy, graph Graph,
          detail::columns_of_numbers Amounts, class Decay, detail::columns_of_numbers Sums>
  requires(!std::is_void_v<detail::distance_or_weight_t<Distance, Graph>>)
result accessibility(const Policy& policy, const Graph& graph, const Amounts& amounts,
                     Decay&& decay, Sums&& sums) {
  using distance = detail::distance_or_weight_t<Distance, Graph>;
  auto&& to = detail::as_columns(sums);
  return detail::find_accessibility<distance>(policy, graph, detail::every_vertex{},
                                              detail::as_columns(amounts), decay, to);
}

// Reports at compile time, in one sentence, why the arguments match no overload above. Const
// references are never a better match than the parameters above.
template <class Distance = void, class Policy, class Graph, class... Arguments>
result accessibility(const Policy&, const Graph&, const Arguments&...) {
  constexpr bool is_explained = detail::explain_policy_and_graph<Policy, Graph, Arguments...>();
  static_assert(is_explained,
                "apsp: accessibility: after the graph, expected, optionally, a list of sources, a "
                "matrix or a contiguous range of amounts, a decay, and a writable matrix or "
                "contiguous range of sums, all in host memory");
  return {};
}

}  // namespace apsp::inline v1
