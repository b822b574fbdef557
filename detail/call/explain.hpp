// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/vertex_range.hpp"

// Explanations, by static_assert, of why no overload of a function accepts the arguments of a call.
// Every function has a last overload for any arguments that ends here.
namespace apsp::inline v1::detail {

/// True for the policies of apsp/mpi.hpp.
template <class Policy>
concept runs_across_processes = requires(const Policy& policy) {
  policy.wrapped();
  policy.num_processes();
};

/// Checks that a graph has weights.
template <class Graph>
constexpr void check_weights() {
  constexpr bool has_type = !std::is_void_v<weight_type_t<Graph>>;
  static_assert(graph_with_weights<Graph> || device_resident<Graph> || !has_type,
                "apsp: the graph_adaptor of this graph has a weight_type, but no static function "
                "for_each_edge that takes a const reference to the graph and a function");
  static_assert(graph_with_weights<Graph> || device_resident<Graph> || has_type,
                "apsp: this graph has no weights; give it some with apsp::weighted(g, w) or "
                "apsp::unweighted(g)");
}

/// True for a graph that could not be a result.
template <class A>
inline constexpr bool is_only_graph = graph<A> && !operand_matrix<A>;

/// Explains what is wrong with the policy or the graph of a call; returns false if nothing is.
/// @tparam Arguments  those after the graph.
template <class Policy, class Graph, class... Arguments>
constexpr bool explain_policy_and_graph() {
  constexpr bool has_policy = execution_policy<Policy> || runs_across_processes<Policy>;
  constexpr bool has_policy_behind =
      execution_policy<Graph> || (execution_policy<Arguments> || ...);
  constexpr bool has_graph_behind = (is_only_graph<Arguments> || ...);
  if constexpr (!has_policy) {
    static_assert(has_policy || !has_policy_behind,
                  "apsp: the arguments are out of order: the policy is the first one, before the "
                  "graph");
    static_assert(has_policy || has_policy_behind,
                  "apsp: the first argument is not a policy of this library: apsp::seq, "
                  "apsp::omp, apsp::cuda_naive or apsp::cuda_tiled");
    return true;
  } else if constexpr (has_graph_behind) {
    static_assert(
        !has_graph_behind,
        "apsp: the arguments are out of order: the graph is the second one, before sources and "
        "results");
    return true;
  } else if constexpr (!graph<Graph>) {
    explain_graph<Graph>();
    return true;
  } else if constexpr (!graph_with_weights<Graph> && !device_resident<Graph>) {
    check_weights<Graph>();
    return true;
  } else {
    return false;
  }
}

/// True if `explain_policy_and_graph` finds something wrong before the arguments after the graph.
/// It restricts the last overload of functions whose other overloads convert their arguments.
template <class Policy, class Graph>
concept is_misfit =
    !runs_across_processes<Policy> &&
    (!execution_policy<Policy> || (!graph_with_weights<Graph> && !device_resident<Graph>));

/// What an algorithm takes between the graph and the matrices.
enum class taken_sources {
  none,
  list,        ///< Optionally, a list of sources.
  list_or_one  ///< Optionally, a list of sources, or one source and rows in place of matrices.
};

/// What an argument after the graph looks like.
enum class argument_kind { matrix, semiring, list, one, row, other };

template <class A, class Graph>
constexpr argument_kind find_kind() {
  if constexpr (operand_matrix<const A&>) {
    return argument_kind::matrix;
  } else if constexpr (std::ranges::range<const A&>) {
    constexpr bool is_list = vertex_range<const A&, Graph> &&
                             !std::is_floating_point_v<std::ranges::range_value_t<const A&>>;
    return is_list ? argument_kind::list : argument_kind::row;
  } else if constexpr (iterator_pair<A>) {
    return argument_kind::list;
  } else if constexpr (single_vertex<A, Graph>) {
    return argument_kind::one;
  } else if constexpr (std::is_pointer_v<A>) {
    return argument_kind::row;
  } else {
    return semiring<A> ? argument_kind::semiring : argument_kind::other;
  }
}

/// What is wrong with the arguments after the graph, as far as their types tell.
enum class misfit { order, one_source, constant, flat, other };

/// @param kinds  those of the arguments after the graph.
template <std::size_t Count>
constexpr misfit find_misfit(taken_sources taken, const std::array<argument_kind, Count>& kinds) {
  std::size_t num_matrices = 0;
  std::size_t num_ranges = 0;
  for (const argument_kind kind : kinds) {
    const bool is_range = kind == argument_kind::list || kind == argument_kind::row;
    if (kind == argument_kind::matrix) ++num_matrices;
    if (is_range) ++num_ranges;
    const bool is_source = kind == argument_kind::list || kind == argument_kind::one;
    if (is_source && num_matrices != 0 && taken != taken_sources::none) return misfit::order;
  }
  if (taken != taken_sources::none && Count > 1 && kinds[0] == argument_kind::one) {
    return misfit::one_source;
  }
  std::size_t next = 0;
  if (taken != taken_sources::none && next < Count && kinds[next] == argument_kind::list) ++next;
  const std::size_t begin = next;
  while (next < Count && next < begin + 2 && kinds[next] == argument_kind::matrix) ++next;
  const bool has_matrices = next != begin;
  if (next < Count && kinds[next] == argument_kind::semiring) ++next;
  if (has_matrices && next == Count) return misfit::constant;
  const std::size_t num_lists = taken == taken_sources::none ? 0 : 1;
  const bool has_row =
      num_ranges > num_lists || (begin < Count && kinds[begin] == argument_kind::row);
  return num_matrices == 0 && has_row ? misfit::flat : misfit::other;
}

/// For algorithms whose results are matrices.
template <taken_sources Taken, class Policy, class Graph, class... Arguments>
result explain_arguments() {
  static_assert(
      !runs_across_processes<Policy>,
      "apsp: no overload in apsp/mpi.hpp takes these arguments; across processes, matrices are "
      "apsp::distributed_matrix, and floyd_warshall and repeated_squaring record no predecessors");
  if constexpr (!runs_across_processes<Policy> &&
                !explain_policy_and_graph<Policy, Graph, Arguments...>()) {
    constexpr std::array<argument_kind, sizeof...(Arguments)> kinds{
        find_kind<Arguments, Graph>()...};
    constexpr misfit found = find_misfit(Taken, kinds);
    static_assert(found != misfit::order,
                  "apsp: the arguments are out of order: the sources come before the distances");
    static_assert(found != misfit::one_source || Taken == taken_sources::list_or_one,
                  "apsp: this algorithm takes a list of sources, such as std::array{source}, and "
                  "matrices with one row for each");
    static_assert(
        found != misfit::one_source || Taken != taken_sources::list_or_one,
        "apsp: after a single source, expected non-const contiguous ranges of n entries, for the "
        "distances and the predecessors; matrices need a list of sources, such as "
        "std::array{source}");
    static_assert(
        found != misfit::constant,
        "apsp: a result is const, or a matrix that cannot be written; pass a matrix whose "
        "entries can be assigned, m[i][j] = d or m(i, j) = d");
    static_assert(found != misfit::flat,
                  "apsp: a result is a flat array in place of a matrix; wrap it in "
                  "apsp::matrix_view(data, rows, columns)");
    static_assert(found != misfit::other,
                  "apsp: after the graph, expected a range of sources (where the algorithm takes "
                  "one), writable matrices, m[i][j] or m(i, j), for the distances and, "
                  "optionally, the predecessors, and, optionally, a semiring");
  }
  return {};
}

}  // namespace apsp::inline v1::detail
