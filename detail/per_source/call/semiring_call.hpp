// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../../apsp/error.hpp"
#include "../../../apsp/graph.hpp"
#include "../../../apsp/matrix_traits.hpp"
#include "../../../apsp/policy.hpp"
#include "../../../apsp/result.hpp"
#include "../../../apsp/semiring.hpp"
#include "../../../apsp/unreachable.hpp"
#include "../../call/backend.hpp"
#include "../../call/request.hpp"
#include "../../elimination/calls.hpp"
#include "../../elimination/coded_hierarchy.hpp"
#include "../../elimination/hierarchy.hpp"
#include "../../elimination/host/eliminate.hpp"
#include "../../elimination/minimum_degree.hpp"
#include "../../elimination/path_values.hpp"
#include "../../graph/adjacency.hpp"
#include "../../graph/semiring_edges.hpp"
#include "../../graph/trees.hpp"
#include "../../plan/plan_call.hpp"
#include "../../plan/rates.hpp"
#include "../../values/computed_type.hpp"
#include "../../values/cutoff.hpp"
#include "../../values/distance_code.hpp"
#include "../delivery/outputs.hpp"
#include "../delivery/remaining_rows.hpp"
#include "../problem/paths.hpp"
#include "../problem/problem.hpp"
#include "../search/host/solve.hpp"
#include "../sweep/host/elimination.hpp"
#include "device_order.hpp"
#include "planning.hpp"

// Dijkstra and Bellman–Ford over a semiring, from the arguments of the call to the backend.
namespace apsp::inline v1::detail {

/// Receives rows from a solver and passes them on.
template <class S>
class semiring_output final : public solver_output<typename S::value_type> {
  using T = typename S::value_type;

 public:
  semiring_output(const per_source_problem<T>& problem, const S& semiring,
                  bool prefers_fewest_edges, row_output<T>& output)
      : problem_(problem),
        semiring_(semiring),
        prefers_fewest_edges_(prefers_fewest_edges),
        output_(output) {}

  T* distances(std::size_t row) override { return output_.distances(row); }
  std::int32_t* predecessors(std::size_t row) override { return output_.predecessors(row); }

  void finish(std::size_t row, T* distances, std::int32_t* predecessors) override {
    const auto source = static_cast<std::size_t>(problem_.sources[row]);
    if (predecessors != nullptr && prefers_fewest_edges_)
      choose_fewest_edges(source, distances, predecessors);
    output_.write(row, source, distances, predecessors);
  }

 private:
  void choose_fewest_edges(std::size_t source, const T* distances,
                           std::int32_t* predecessors) const {
    const auto through = [&](std::size_t u, std::size_t a) -> T {
      return semiring_.times(distances[u], problem_.arcs.weights[a]);
    };
    build_tree(problem_.arcs, source, value_slack(problem_.arcs, distances, through), predecessors);
  }

  const per_source_problem<T>& problem_;
  const S& semiring_;
  bool prefers_fewest_edges_;
  row_output<T>& output_;
};

/// Receives rows in device order from kernels, without the paths beyond a limit if they do not
/// observe it themselves, and passes them on as values of the semiring.
template <class S>
class device_order_output final : public solver_output<typename S::value_type> {
  using T = typename S::value_type;

 public:
  device_order_output(solver_output<T>& output, const per_source_problem<T>& problem,
                      const T& no_path)
      : output_(output), problem_(problem), no_path_(no_path) {}

  T* distances(std::size_t row) override { return output_.distances(row); }
  std::int32_t* predecessors(std::size_t row) override { return output_.predecessors(row); }

  void finish(std::size_t row, T* distances, std::int32_t* predecessors) override {
    const std::size_t n = problem_.arcs.num_vertices();
    const auto source = static_cast<std::size_t>(problem_.sources[row]);
    for (std::size_t v = 0; v < n; ++v) {
      if (v == source || !(problem_.limit < distances[v])) continue;
      distances[v] = no_path_;
      if (predecessors != nullptr) predecessors[v] = -1;
    }
    std::transform(distances, distances + n, distances, device_order<S>::value);
    output_.finish(row, distances, predecessors);
  }

 private:
  solver_output<T>& output_;
  const per_source_problem<T>& problem_;
  T no_path_;
};

/// One call, after the edges have been validated.
template <class S, class Backend>
class semiring_per_source_call {
  using T = typename S::value_type;

 public:
  /// @param prepared  for an elimination; the call makes what is missing.
  semiring_per_source_call(const Backend& backend, const per_source_problem<T>& problem,
                           const S& semiring, bool prefers_fewest_edges, row_output<T>& output,
                           prepared_elimination<T, S> prepared)
      : backend_(backend),
        problem_(problem),
        semiring_(semiring),
        prefers_fewest_edges_(prefers_fewest_edges),
        output_(output, problem.sources),
        prepared_(std::move(prepared)) {}

  result run() {
    result done(backend_.name(), problem_.method);
    done.set_num_devices(backend_.num_devices());
    solve_outcome outcome = solve(problem_);
    if (outcome == solve_outcome::not_converged) {
      // Occurs if joining two paths rounds; the kernels join without rounding.
      constexpr bool on_device = std::is_same_v<Backend, cuda_backend>;
      if (on_device && problem_.method == algorithm::bellman_ford) {
        throw device_error(
            "Bellman-Ford did not converge over a semiring that says cycles_never_improve");
      } else {
        per_source_problem<T> again = problem_;
        again.sources = output_.restart();
        // Dijkstra settles each vertex once, regardless of rounding; the kernels join without
        // rounding.
        again.method = on_device ? algorithm::bellman_ford : algorithm::dijkstra;
        done.set_algorithm(again.method);
        outcome = solve(again);
      }
    }
    if (outcome == solve_outcome::stopped) done.set_stopped();
    return done;
  }

 private:
  solve_outcome solve(const per_source_problem<T>& problem) {
    semiring_output<S> output(problem, semiring_, prefers_fewest_edges_, output_);
    backend_.watch().begin(problem.sources.size());
    backend_.watch().note_type(type_name<T>(), type_of_the_result);
    if (problem.method == algorithm::elimination) return eliminate(problem, output);
    if constexpr (std::is_same_v<Backend, cuda_backend>) {
      return solve_in_device_order(problem, output);
    } else {
      return host::solve_with_paths(problem, joined<S>{semiring_}, backend_.host_threads(), output,
                                    backend_.watch());
    }
  }

  solve_outcome eliminate(const per_source_problem<T>& problem, solver_output<T>& output) {
    if (prepared_.graph != nullptr) {
      return sweep(std::get<coded_hierarchy<T>>(*prepared_.graph), problem, output);
    }
    const int threads = backend_.host_threads();
    if (!prepared_.tree) {
      prepared_.tree = minimum_degree_tree(problem.arcs.offsets, problem.arcs.targets,
                                           {threads, &backend_.watch()});
    }
    if (!prepared_.tree) return solve_outcome::stopped;
    auto made = host::eliminate(prepared_.tree, problem.arcs, values_of(semiring_), threads,
                                backend_.watch());
    if (!made.graph) {
      // Only rounding makes a cycle improve on the empty path.
      return made.outcome == host::elimination_outcome::stopped ? solve_outcome::stopped
                                                                : solve_outcome::not_converged;
    }
    return sweep(coded_hierarchy<T>{std::move(*made.graph), {}}, problem, output);
  }

  solve_outcome sweep(const coded_hierarchy<T>& graph, const per_source_problem<T>& problem,
                      solver_output<T>& output) {
    if constexpr (std::is_same_v<Backend, cuda_backend>) {
      return solve_in_device_order(problem, output, &graph);
    } else {
      return host::sweep(graph.graph, values_of(semiring_), problem, backend_.host_threads(),
                         output, backend_.watch());
    }
  }

  /// @param graph  for an elimination.
  solve_outcome solve_in_device_order(const per_source_problem<T>& problem,
                                      solver_output<T>& output,
                                      const coded_hierarchy<T>* graph = nullptr) {
    using order = device_order<S>;
    std::vector<T> weights(problem.arcs.num_edges());
    std::transform(problem.arcs.weights.begin(), problem.arcs.weights.end(), weights.begin(),
                   order::weight);
    per_source_problem<T> turned = problem;
    turned.arcs.weights = weights;
    turned.limit = problem.limit == semiring_.zero ? no_path<T>() : order::distance(problem.limit);
    const T none = order::distance(semiring_.zero);
    coded_hierarchy<T> turned_graph;
    if (graph != nullptr) {
      turned_graph = *graph;
      for (auto* arcs : {&turned_graph.graph.up, &turned_graph.graph.down}) {
        for (sweep_arc<T>& arc : *arcs) arc.weight = order::weight(arc.weight);
      }
      turned_graph.code = {none, {}, none};
      turned.hierarchy = &turned_graph;
    }
    device_order_output<S> values(output, turned, none);
    return cuda::solve_joined_per_source<T, order::join>(backend_.target(), turned, values,
                                                         backend_.watch());
  }

  const Backend& backend_;
  const per_source_problem<T>& problem_;
  const S& semiring_;
  bool prefers_fewest_edges_;
  remaining_rows<T> output_;
  prepared_elimination<T, S> prepared_;
};

/// What a call finds ready.
template <class S, class Graph, class T = typename S::value_type>
prepared_elimination<T, S> prepared_in([[maybe_unused]] const Graph& g) {
  if constexpr (is_kept_hierarchy<Graph, T, S>) {
    return prepared_from(graph_adaptor_t<Graph>::kept(g));
  } else {
    return {};
  }
}

/// Runs an algorithm over a semiring with best paths and a graph whose edges have been validated;
/// passes the rows to @p output.
template <class S, class Backend, class Graph, class T = typename S::value_type>
result run_semiring_per_source(const request& wanted, const Backend& backend, const Graph& g,
                               std::span<const std::int32_t> sources, const S& semiring,
                               row_output<T>& output) {
  constexpr bool on_device = std::is_same_v<Backend, cuda_backend>;
  const std::size_t n = num_vertices_of(g);
  const auto work = [&](std::size_t num_arcs) {
    return search_work(kind_over<S>(), wanted.asked, sources.size(), n, num_arcs);
  };
  // A lower bound, until the arcs have been counted.
  const Backend reader = backend.for_work(work(least_edges(g, n)));
  std::optional<adjacency<T>> read;
  const adjacency<T>& arcs = [&]() -> const adjacency<T>& {
    if constexpr (is_kept_hierarchy<Graph, T, S>) {
      return graph_adaptor_t<Graph>::kept(g).arcs;
    } else {
      return read.emplace(make_value_adjacency<T>(g, n, reader.host_threads()));
    }
  }();
  const Backend solver = backend.for_work(work(arcs.targets.size()));
  prepared_elimination<T, S> prepared = prepared_in<S>(g);
  call_plan plan;
  if (wanted.asked) {
    plan.method = *wanted.asked;
  } else {
    call_facts facts = facts_over<S>(backend.name(), n);
    const auto chosen_for = wanted.chosen_for.empty() ? sources : wanted.chosen_for;
    facts.num_sources = chosen_for.size();
    facts.with_predecessors = output.wants_predecessors();
    facts.has_cutoff = wanted.cutoff.has_value();
    add_order(facts, prepared);
    plan = plan_with_arcs(facts, arcs, chosen_for, {backend.host_threads(), &backend.watch()},
                          prepared.tree);
  }
  // No value is beyond that of an unreachable vertex, so this limit cuts nothing.
  const T limit = to_cutoff_of(semiring, wanted.cutoff).value_or(semiring.zero);
  // The kernels join paths by passes, or sweep.
  const bool is_by_passes = on_device && plan.method != algorithm::elimination;
  const per_source_problem<T> problem{is_by_passes ? algorithm::bellman_ford : plan.method,
                                      arcs.view(),
                                      sources,
                                      limit,
                                      false,
                                      output.wants_predecessors()};
  result done = semiring_per_source_call(solver, problem, semiring, wanted.prefers_fewest_edges,
                                         output, std::move(prepared))
                    .run();
  done.set_candidates(plan.candidates);
  return done;
}

/// The same, starting from the policy.
template <class S, class Policy, class Graph, class T = typename S::value_type>
result semiring_per_source(const Policy& policy, const request& wanted, const Graph& g,
                           std::span<const std::int32_t> sources, const S& semiring,
                           row_output<T>& output) {
  return on_backend<typename S::value_type>(policy, [&](const auto& backend) -> result {
    using backend_type = std::remove_cvref_t<decltype(backend)>;
    if constexpr (std::is_same_v<backend_type, cuda_backend> && !device_order<S>::has_kernels) {
      throw no_kernels("the algorithms from one source have no CUDA kernels for this semiring");
    } else {
      if constexpr (!is_kept_hierarchy<Graph, T, S>) {
        const std::size_t n = num_vertices_of(g);
        const auto reader = backend.for_work(
            search_work(kind_over<S>(), wanted.asked, sources.size(), n, least_edges(g, n)));
        check_edges(semiring, g, n, reader.host_threads());
      }
      return run_semiring_per_source(wanted, backend, g, sources, semiring, output);
    }
  });
}

}  // namespace apsp::inline v1::detail
