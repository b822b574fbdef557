// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../device/launch_target.hpp"
#include "../elimination/calls.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../plan/rates.hpp"
#include "call/call.hpp"
#include "call/device_call.hpp"
#include "call/semiring_call.hpp"
#include "delivery/outputs.hpp"
#include "problem/paths.hpp"

// Dijkstra, Bellman–Ford and Johnson, from the arguments of the call to the backend.
namespace apsp::inline v1::detail {

/// A change of the arcs that a call searches: none.
struct no_change {
  /// The number of arcs that it adds.
  std::size_t num_added() const { return 0; }
  /// Changes the arcs of the graph, and the range of their weights with them.
  template <class T>
  void operator()(adjacency<T>&, weight_range<T>&) const {}
};

/// Runs an algorithm from @p sources, and passes the rows to @p output.
/// @param change  changes the arcs before they are searched, as `no_change` does not. The sources
///                and the rows are those of the changed graph.
template <class Policy, class Graph, class T, class Change = no_change>
result per_source(const Policy& policy, const request& wanted, const Graph& g,
                  std::span<const std::int32_t> sources, row_output<T>& output,
                  const Change& change = {}) {
  static_assert(check_weight_type<T>());
  const std::size_t n = num_vertices_of(g);
  const auto work = [&](std::size_t num_arcs) {
    return search_work(kind_of<T>(), wanted.asked, sources.size(), n, num_arcs);
  };
  return on_backend<T>(policy, [&](const auto& any) {
    // A lower bound, until the arcs have been counted.
    const auto reader = any.for_work(work(least_edges(g, n)));
    if constexpr (is_kept_hierarchy<Graph, T> && std::is_same_v<Change, no_change>) {
      const kept_hierarchy<T>& kept = graph_adaptor_t<Graph>::kept(g);
      return run_per_source(reader, wanted, {kept.arcs, kept.weights, prepared_from(kept)}, sources,
                            output);
    } else if constexpr (is_kept_hierarchy<Graph, T>) {
      const kept_hierarchy<T>& kept = graph_adaptor_t<Graph>::kept(g);
      auto weights = kept.weights;
      auto arcs = copy_of_arcs(kept.arcs, change.num_added());
      change(arcs, weights);
      return run_per_source(reader, wanted, {arcs, weights}, sources, output);
    } else {
      auto weights = find_weight_range<T>(g, n, reader.host_threads());
      const auto backend = any.for_work(work(weights.num_edges));
      auto arcs = make_adjacency<T>(g, n, backend.host_threads(), change.num_added());
      change(arcs, weights);
      return run_per_source(backend, wanted, {arcs, weights}, sources, output);
    }
  });
}

/// The same for a graph or results in device memory.
template <class Policy, class Graph, class D, class P>
result per_source_in_device_memory(const Policy& policy, const request& wanted, const Graph& g,
                                   std::span<const std::int32_t> sources, D& distances,
                                   P& predecessors) {
  const auto on_device = [&](const cuda::launch_target& target, monitor& watch, const auto& to,
                             const auto& predecessors_to) {
    return device_per_source(cuda_backend(target, watch), wanted, g, sources, to, predecessors_to);
  };
  const auto on_copy = [&](const auto& copy) {
    check_vertices(copy);
    matrix_output<D, P> output(distances, predecessors, num_vertices_of(copy));
    return per_source(policy, wanted, copy, sources, output);
  };
  return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
}

/// Requirements on a semiring that all algorithms below share.
template <class S, class Value>
constexpr bool has_row_values() {
  static_assert(!std::is_same_v<S, or_and>,
                "apsp: reachability over or_and is computed by apsp::transitive_closure");
  static_assert(std::is_same_v<Value, typename S::value_type>,
                "apsp: the type of the distances must be the value type of the semiring");
  return true;
}

/// True if every pair of vertices has a best path that the single-source algorithms find; over
/// `min_plus`, negative cycles are the exception, and they are detected.
template <class S>
inline constexpr bool has_best_paths = best_path_semiring<S> || is_min_plus<S>;

/// Requirements of @p Asked on a semiring.
template <algorithm Asked, class S>
constexpr bool has_paths_for() {
  static_assert(Asked == algorithm::dijkstra || Asked == algorithm::bellman_ford ||
                    Asked == algorithm::johnson || Asked == algorithm::elimination ||
                    Asked == algorithm::breadth_first_search,
                "the requirements of this algorithm on a semiring are missing");
  static_assert(
      Asked != algorithm::dijkstra || has_best_paths<S>,
      "apsp: dijkstra needs a semiring that has a best path for every pair of vertices: one "
      "that says is_selective and cycles_never_improve");
  static_assert(
      Asked != algorithm::bellman_ford || has_best_paths<S>,
      "apsp: bellman_ford needs a semiring that has a best path for every pair of vertices: "
      "one that says is_selective and cycles_never_improve");
  static_assert(
      Asked != algorithm::elimination || has_best_paths<S>,
      "apsp: elimination needs a semiring that has a best path for every pair of vertices: "
      "one that says is_selective and cycles_never_improve");
  static_assert(Asked != algorithm::johnson || is_min_plus<S>,
                "apsp: johnson needs a semiring whose weights can be made non-negative, which is "
                "min_plus; over others use dijkstra");
  return true;
}

/// Writes the rows to matrices.
template <algorithm Asked, class Policy, class Graph, class Sources, class D, class P, class S>
result per_source_matrix(const Policy& policy, const Graph& g, Sources& sources, D& distances,
                         P& predecessors, [[maybe_unused]] const S& semiring) {
  static_assert(has_paths_for<Asked, S>());
  using T = matrix_value_t<D>;
  static_assert(has_row_values<S, T>());
  constexpr bool in_device_memory = lie_in_device_memory<Graph, D, P>;
  if constexpr (in_device_memory) {
    static_assert(Asked != algorithm::breadth_first_search,
                  "apsp: breadth_first_search takes graphs and results in host memory");
    check_device_semiring<is_min_plus<S>>();
    check_device_policy<Policy>();
  }
  if constexpr (has_best_paths<S> && (!in_device_memory || is_cuda_policy<Policy>)) {
    const std::size_t n = check_graph_anywhere<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    check_matrices(g, distances, predecessors, list.size(), n);
    if constexpr (in_device_memory) {
      if constexpr (is_min_plus<S>) {
        return per_source_in_device_memory(policy, request_of(policy, Asked), g, list, distances,
                                           predecessors);
      }
    } else {
      matrix_output<D, P> output(distances, predecessors, n);
      if constexpr (is_min_plus<S>) {
        return per_source(policy, request_of(policy, Asked), g, list, output);
      } else {
        return semiring_per_source(policy, request_of(policy, Asked), g, list, semiring, output);
      }
    }
  }
}

/// @throws std::invalid_argument if a row does not have one entry for each of the n vertices.
template <class M>
void require_row(const M& row, std::size_t n, const char* name) {
  if (row.cols() == n) return;
  throw std::invalid_argument("apsp: the range of " + std::string(name) + " has " +
                              std::to_string(row.cols()) + " entries, not " + std::to_string(n) +
                              ", one for each vertex");
}

/// Writes the row of a single source.
template <algorithm Asked, class Policy, class Graph, class Source, class D, class P, class S>
result single_source(const Policy& policy, const Graph& g, const Source& source, D distances,
                     P predecessors, const S& semiring) {
  const std::size_t n = check_graph_anywhere<matrix_value_t<D>>(g);
  require_row(distances, n, "distances");
  if constexpr (!std::is_same_v<P, no_predecessors>) require_row(predecessors, n, "predecessors");
  const std::array<Source, 1> sources{source};
  return per_source_matrix<Asked>(policy, g, sources, distances, predecessors, semiring);
}

/// The sums of a call whose type of distances may be left to the graph. Substitution fails for a
/// graph without weights, so that the call is explained.
template <class Distance, class Graph>
  requires(!std::is_void_v<distance_or_weight_t<Distance, Graph>>)
using default_sums = min_plus<distance_or_weight_t<Distance, Graph>>;

/// Checks the semiring of a call that leaves the algorithm open; false if it does not fit.
template <class T, class S>
constexpr bool has_paths_of() {
  static_assert(has_row_values<S, T>());
  static_assert(
      has_best_paths<S>,
      "apsp: this function needs a semiring that has a best path for every pair of vertices: "
      "one that says is_selective and cycles_never_improve");
  return has_best_paths<S>;
}

/// Checks the types of a call that passes rows to an F; false if one of them does not fit.
template <class T, class S, class F>
constexpr bool can_pass_rows() {
  constexpr bool has_paths = has_paths_of<T, S>();
  return has_paths && check_row_function<T, F>();
}

/// Passes the rows to a function.
template <class T, class Policy, class Graph, class Sources, class F, class S>
result per_source_rows(const Policy& policy, const Graph& g, Sources& sources, F& f,
                       [[maybe_unused]] const S& semiring) {
  constexpr bool can_pass = can_pass_rows<T, S, F>();
  const auto solve = [&](const auto& graph, std::size_t n, std::span<const std::int32_t> list) {
    function_output<T, F> output(f, n);
    if constexpr (is_min_plus<S>) {
      return per_source(policy, request_of(policy), graph, list, output);
    } else {
      return semiring_per_source(policy, request_of(policy), graph, list, semiring, output);
    }
  };
  if constexpr (device_resident<Graph>) {
    check_device_semiring<is_min_plus<S>>();
    check_device_policy<Policy>();
    if constexpr (can_pass && is_min_plus<S> && is_cuda_policy<Policy>) {
      const std::size_t n = check_device_graph<T>(g);
      const std::vector<std::int32_t> list = list_sources(g, n, sources);
      return with_selected_copy(policy, g, [&](const auto& copy) {
        check_vertices(copy);
        return solve(copy, n, list);
      });
    }
  } else if constexpr (can_pass) {
    const std::size_t n = check_graph<T>(g);
    return solve(g, n, list_sources(g, n, sources));
  }
}

}  // namespace apsp::inline v1::detail
