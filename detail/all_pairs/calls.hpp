// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/device_memory.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../dense/call/closure_call.hpp"
#include "../dense/call/compiled_closures.hpp"
#include "../dense/call/device_matrices.hpp"
#include "../dense/call/host_matrices.hpp"
#include "../dense/calls.hpp"
#include "../dense/problem/matrix_source.hpp"
#include "../dense/problem/problem.hpp"
#include "../device/launch_target.hpp"
#include "../elimination/calls.hpp"
#include "../graph/adjacency.hpp"
#include "../graph/edges.hpp"
#include "../graph/semiring_edges.hpp"
#include "../graph/sources.hpp"
#include "../host/monitor.hpp"
#include "../host/workers.hpp"
#include "../matrix/rows.hpp"
#include "../per_source/call/call.hpp"
#include "../per_source/call/device_call.hpp"
#include "../per_source/call/device_order.hpp"
#include "../per_source/call/planning.hpp"
#include "../per_source/call/semiring_call.hpp"
#include "../per_source/calls.hpp"
#include "../per_source/delivery/outputs.hpp"
#include "../per_source/problem/paths.hpp"
#include "../plan/plan_call.hpp"
#include "../plan/rates.hpp"
#include "../values/kernel_semirings.hpp"

// All pairs: chooses between a dense algorithm and one that solves source by source.
namespace apsp::inline v1::detail {

/// All pairs as planned, with what was read for the plan.
template <class T>
struct planned_pairs {
  call_plan plan;
  std::vector<std::int32_t>
      sources;  ///< All vertices; empty like the arcs if they were not needed.
  adjacency<T> arcs;
  prepared_elimination<T> prepared;

  bool is_dense() const { return plan.method == algorithm::floyd_warshall; }
};

/// @param read_arcs  read_arcs(plan) returns the arcs of the graph for the choice among the
///                   algorithms other than that of the plan.
template <class T, class ReadArcs>
planned_pairs<T> plan_all_pairs(call_facts facts, const request& wanted, const host::workers& by,
                                ReadArcs read_arcs) {
  facts.num_sources = facts.num_vertices;
  facts.is_whole_matrix = true;
  facts.has_cutoff = wanted.cutoff.has_value();
  planned_pairs<T> made;
  made.plan = plan_call(facts);
  if (made.is_dense() && made.plan.missing == missing_fact::nothing) return made;
  made.sources.resize(facts.num_vertices);
  std::iota(made.sources.begin(), made.sources.end(), 0);
  made.arcs = read_arcs(made.plan);
  made.plan = plan_with_arcs(facts, made.arcs, made.sources, by, made.prepared.tree);
  return made;
}

/// All pairs with results in device memory, with an algorithm chosen for the graph.
template <class Graph, class T, class P>
result device_all_pairs(const cuda::launch_target& target, monitor& watch, const Graph& g,
                        const device_matrix_view<T>& distances, const P& predecessors,
                        request wanted) {
  constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
  const std::size_t n = num_vertices_of(g);
  const every_vertex all;
  const cuda_backend backend(target, watch);
  if constexpr (is_kept_hierarchy<Graph, T>) {
    return device_per_source(backend, wanted, g, list_sources(g, n, all), distances, predecessors);
  }
  const auto weights = find_weight_range_anywhere<T>(target, g);
  call_facts facts = facts_of(target.kernels, n, weights);
  facts.with_predecessors = with_predecessors;
  planned_pairs<T> made = plan_all_pairs<T>(facts, wanted, {0, &watch}, [&](const call_plan&) {
    return with_host_graph(g, target.stream, [&](const auto& host_graph) {
      return make_adjacency<T>(host_graph, n, 0);
    });
  });
  if (made.is_dense()) {
    result done = close_distances(device_matrices(target, watch, distances, predecessors),
                                  closure_kind{}, g, wanted, weights);
    done.set_candidates(made.plan.candidates);
    return done;
  }
  wanted.plan = &made.plan;
  return solve_into_device_memory(backend, wanted, {made.arcs, weights, std::move(made.prepared)},
                                  made.sources, distances, predecessors);
}

template <class Policy, class Graph, class D, class P>
result all_pairs(const Policy& policy, const Graph& g, D& distances, P& predecessors);

/// All pairs if the graph or the results are in device memory.
template <class Policy, class Graph, class D, class P>
result all_pairs_in_device_memory(const Policy& policy, const Graph& g, D& distances,
                                  P& predecessors) {
  check_device_policy<Policy>();
  if constexpr (is_cuda_policy<Policy>) {
    const std::size_t n = check_graph_anywhere<matrix_value_t<D>>(g);
    check_matrices(g, distances, predecessors, n, n);
    const auto on_device = [&](const cuda::launch_target& target, monitor& watch, const auto& to,
                               const auto& predecessors_to) {
      return device_all_pairs(target, watch, g, to, predecessors_to, request_of(policy));
    };
    const auto on_copy = [&](const auto& copy) {
      return all_pairs(policy, copy, distances, predecessors);
    };
    return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
  }
}

/// All pairs, with an algorithm chosen for the graph.
template <class Policy, class Graph, class D, class P>
result all_pairs(const Policy& policy, const Graph& g, D& distances, P& predecessors) {
  using T = matrix_value_t<D>;
  static_assert(check_weight_type<T>());
  using adaptor = graph_adaptor_t<Graph>;
  constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
  if constexpr (lie_in_device_memory<Graph, D, P>) {
    return all_pairs_in_device_memory(policy, g, distances, predecessors);
  } else {
    const std::size_t n = check_graph<T>(g);
    check_matrices(g, distances, predecessors, n, n);
    if constexpr (requires { adaptor::dense_entries(g); }) {
      if (lies_in(g, distances, n) || lies_in(g, predecessors, n)) {
        const auto copy = check_and_copy_dense(min_plus<T>{}, g, n);
        return all_pairs(policy, copy, distances, predecessors);
      }
    }
    if constexpr (is_kept_hierarchy<Graph, T>) {
      const every_vertex all;
      const std::vector<std::int32_t> sources = list_sources(g, n, all);
      matrix_output<D, P> output(distances, predecessors, n);
      row_output<T>& rows = output;
      return per_source(policy, request_of(policy), g, sources, rows);
    }
    return on_backend<T>(policy, [&](const auto& any) {
      const double at_once = closure_work<min_plus<T>>(n, with_predecessors);
      const auto by_source = [n](std::size_t m) {
        return search_work(kind_of<T>(), std::nullopt, n, n, m);
      };
      // A lower bound, until the arcs have been counted.
      const auto reader = any.for_work(std::min(at_once, by_source(least_edges(g, n))));
      const auto weights = find_weight_range<T>(g, n, reader.host_threads());
      call_facts facts = facts_of(any.name(), n, weights);
      facts.with_predecessors = with_predecessors;
      request wanted = request_of(policy);
      const auto backend_for = [&](const call_plan& plan) {
        return any.for_work(
            plan.method == algorithm::floyd_warshall ? at_once : by_source(weights.num_edges));
      };
      const host::workers by{any.for_work(by_source(weights.num_edges)).host_threads(),
                             &any.watch()};
      planned_pairs<T> made = plan_all_pairs<T>(facts, wanted, by, [&](const call_plan& plan) {
        return make_adjacency<T>(g, n, backend_for(plan).host_threads());
      });
      const auto backend = backend_for(made.plan);
      wanted.plan = &made.plan;
      if (made.is_dense()) {
        made.arcs = {};
        result done = close_on_host(place_on_host<Graph>(backend, distances, predecessors),
                                    closure_kind{}, g, wanted, weights);
        done.set_candidates(made.plan.candidates);
        return done;
      }
      matrix_output<D, P> output(distances, predecessors, n);
      row_output<T>& rows = output;
      return run_per_source(backend, wanted, {made.arcs, weights, std::move(made.prepared)},
                            made.sources, rows);
    });
  }
}

/// From some vertices, with an algorithm chosen for the graph and their number.
template <class Policy, class Graph, class Sources, class D, class P>
result pairs_from(const Policy& policy, const Graph& g, Sources& sources, D& distances,
                  P& predecessors) {
  using T = matrix_value_t<D>;
  static_assert(check_weight_type<T>());
  constexpr bool in_device_memory = lie_in_device_memory<Graph, D, P>;
  if constexpr (in_device_memory) check_device_policy<Policy>();
  if constexpr (!in_device_memory || is_cuda_policy<Policy>) {
    const std::size_t n = check_graph_anywhere<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    check_matrices(g, distances, predecessors, list.size(), n);
    if constexpr (in_device_memory) {
      return per_source_in_device_memory(policy, request_of(policy), g, list, distances,
                                         predecessors);
    } else {
      matrix_output<D, P> output(distances, predecessors, n);
      return per_source(policy, request_of(policy), g, list, output);
    }
  }
}

/// True if all pairs over S can be solved source by source on a backend.
template <class S, class Backend>
inline constexpr bool runs_per_source =
    best_path_semiring<S> &&
    (!std::is_same_v<Backend, cuda_backend> || device_order<S>::has_kernels);

/// The plan over a semiring: that of `min_plus` without negative weights, since the kernels of the
/// named semirings are equally fast. Other semirings run in plain loops on the host, like
/// user-defined weights.
template <class S, class Graph>
call_plan plan_all_pairs_over(backend b, const Graph& g, std::size_t n, bool with_predecessors,
                              int threads) {
  call_facts facts = facts_over<S>(b, n);
  facts.num_sources = n;
  facts.is_whole_matrix = true;
  facts.with_predecessors = with_predecessors;
  call_plan plan = plan_call(facts);
  // Edges need not be counted if even a graph without edges is not solved per source.
  if (plan.method == algorithm::floyd_warshall) return plan;
  facts.num_arcs = count_values<typename S::value_type>(g, threads);
  return plan_call(facts);
}

template <class Policy, class Graph, class D, class P, class S>
result all_pairs(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                 const S& semiring) {
  using T = matrix_value_t<D>;
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (is_min_plus<S>) {
    check_semiring<S, D>();
    return detail::all_pairs(policy, g, distances, predecessors);
  } else if constexpr (lie_in_device_memory<Graph, D, P>) {
    check_device_semiring<is_min_plus<S>>();
  } else if constexpr (std::is_same_v<S, or_and>) {
    return detail::floyd_warshall(policy, g, distances, predecessors, semiring);
  } else {
    check_closure_semiring<S, D, P>();
    const std::size_t n = check_graph<T>(g);
    check_matrices(g, distances, predecessors, n, n);
    if constexpr (requires { adaptor::dense_entries(g); }) {
      if (lies_in(g, distances, n) || lies_in(g, predecessors, n)) {
        const auto copy = check_and_copy_dense(semiring, g, n);
        return detail::all_pairs(policy, copy, distances, predecessors, semiring);
      }
    }
    return on_backend<S>(policy, [&](const auto& any) {
      using backend_type = std::remove_cvref_t<decltype(any)>;
      const auto backend = any.for_work(closure_work<S>(n, !std::is_same_v<P, no_predecessors>));
      constexpr bool is_prepared = is_kept_hierarchy<Graph, T, S>;
      if (!is_prepared) check_edges(semiring, g, n, backend.host_threads());
      call_plan plan;
      if constexpr (runs_per_source<S, backend_type>) {
        constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
        if (!is_prepared) {
          plan = plan_all_pairs_over<S>(backend.name(), g, n, with_predecessors,
                                        backend.host_threads());
        }
        if (is_prepared || plan.method != algorithm::floyd_warshall) {
          const every_vertex all;
          const std::vector<std::int32_t> sources = list_sources(g, n, all);
          matrix_output<D, P> output(distances, predecessors, n);
          return run_semiring_per_source(request_of(policy), backend, g, sources, semiring, output);
        }
      }
      result done = close_values(host_matrices(backend, distances, predecessors),
                                 closure_method::floyd_warshall, erase_graph<T>(g), semiring,
                                 request_of(policy));
      done.set_candidates(plan.candidates);
      return done;
    });
  }
}

/// All distances, in a matrix of this function.
/// @throws unsolved_error if they are not valid or not complete.
template <class T, class Policy, class Graph>
auto distances_between_all(const Policy& policy, const Graph& g) {
  static_assert(!std::is_void_v<T>,
                "apsp: this graph has no weights; give it some with apsp::weighted(g, w) or "
                "apsp::unweighted(g)");
  if constexpr (!std::is_void_v<T>) {
    matrix<T> distances(check_graph_anywhere<T>(g));
    no_predecessors none;
    result done = all_pairs(policy, g, distances, none);
    if (done.outcome() == outcome::negative_cycle) {
      const std::string vertex = std::to_string(done.negative_cycle().front());
      throw unsolved_error("apsp: the graph has a negative cycle, through vertex " + vertex,
                           std::move(done));
    }
    if (done.outcome() == outcome::stopped) {
      throw unsolved_error("apsp: the call was stopped", std::move(done));
    }
    if (done.saturated()) {
      throw unsolved_error("apsp: a distance does not fit the type of the distances",
                           std::move(done));
    }
    return distances;
  }
}

}  // namespace apsp::inline v1::detail
