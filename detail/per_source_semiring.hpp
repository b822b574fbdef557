// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/graph.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "adjacency.hpp"
#include "device_order.hpp"
#include "dispatch.hpp"
#include "host/semiring_per_source.hpp"
#include "predecessors.hpp"
#include "semiring_edges.hpp"
#include "semiring_problem.hpp"
#include "sources.hpp"

// Dijkstra and Bellman–Ford over a semiring, from what the caller asked for to the backend.
namespace apsp::detail {

/// Takes rows from a solver and passes them on.
template <class S>
class semiring_sink final : public row_sink<typename S::value_type> {
  using T = typename S::value_type;

 public:
  semiring_sink(const semiring_problem<S>& problem, bool counts_hops, row_output<T>& output)
      : problem_(problem), counts_hops_(counts_hops), output_(output) {}

  T* distances(std::size_t row) override { return output_.distances(row); }
  std::int32_t* predecessors(std::size_t row) override { return output_.predecessors(row); }

  void finish(std::size_t row, T* distances, std::int32_t* predecessors) override {
    const auto source = static_cast<std::size_t>(problem_.sources[row]);
    if (predecessors != nullptr && counts_hops_) choose_hops(source, distances, predecessors);
    output_.write(row, source, distances, predecessors);
  }

 private:
  void choose_hops(std::size_t source, const T* distances, std::int32_t* predecessors) const {
    const auto through = [&](std::size_t u, std::size_t a) -> T {
      return problem_.semiring.times(distances[u], problem_.arcs.weights[a]);
    };
    search_predecessors(problem_.arcs, source, exact_slack(problem_.arcs, distances, through),
                        predecessors);
  }

  const semiring_problem<S>& problem_;
  bool counts_hops_;
  row_output<T>& output_;
};

/// Takes rows from kernels, which know of one order only, and passes them on as values of the semiring.
template <class S>
class device_order_sink final : public row_sink<typename S::value_type> {
  using T = typename S::value_type;

 public:
  device_order_sink(row_sink<T>& sink, std::size_t num_vertices)
      : sink_(sink), num_vertices_(num_vertices) {}

  T* distances(std::size_t row) override { return sink_.distances(row); }
  std::int32_t* predecessors(std::size_t row) override { return sink_.predecessors(row); }

  void finish(std::size_t row, T* distances, std::int32_t* predecessors) override {
    std::transform(distances, distances + num_vertices_, distances, device_order<S>::value);
    sink_.finish(row, distances, predecessors);
  }

 private:
  row_sink<T>& sink_;
  std::size_t num_vertices_;
};

/// One call, once the edges are known to be valid.
template <class S, class Backend>
class semiring_per_source_call {
  using T = typename S::value_type;

 public:
  semiring_per_source_call(const Backend& backend, const semiring_problem<S>& problem,
                           bool counts_hops, row_output<T>& output)
      : backend_(backend), problem_(problem), counts_hops_(counts_hops), output_(output) {}

  result run() {
    result done(backend_.name(), problem_.method);
    solve_outcome outcome = solve(problem_);
    if (outcome == solve_outcome::not_converged) {
      // Where joining two paths rounds; kernels join without.
      if constexpr (std::is_same_v<Backend, cuda_backend>) {
        throw device_error("a path got better for ever over a semiring whose cycles never improve");
      } else {
        // Dijkstra settles a vertex once, whatever rounding makes of it.
        semiring_problem<S> again = problem_;
        again.method = algorithm::dijkstra;
        done.set_algorithm(again.method);
        outcome = solve(again);
      }
    }
    if (outcome == solve_outcome::stopped) done.set_stopped();
    return done;
  }

 private:
  solve_outcome solve(const semiring_problem<S>& problem) {
    semiring_sink<S> sink(problem, counts_hops_, output_);
    backend_.watch().begin(problem.sources.size());
    return solve_on(backend_, problem, sink);
  }

  static solve_outcome solve_on(const host_backend& backend, const semiring_problem<S>& problem,
                                row_sink<T>& sink) {
    return host::solve_semiring_per_source(problem, backend.host_threads(), sink, backend.watch());
  }
  static solve_outcome solve_on(const cuda_backend& backend, const semiring_problem<S>& problem,
                                row_sink<T>& sink) {
    using order = device_order<S>;
    std::vector<T> weights(problem.arcs.num_edges());
    std::transform(problem.arcs.weights.begin(), problem.arcs.weights.end(), weights.begin(),
                   order::weight);
    const adjacency_view<T> arcs{problem.arcs.offsets, problem.arcs.targets, weights};
    const T limit = problem.cutoff ? order::distance(*problem.cutoff) : no_path<T>();
    const per_source_problem<T> turned{
        algorithm::bellman_ford, arcs, problem.sources, limit, false, problem.with_predecessors};
    device_order_sink<S> values(sink, arcs.num_vertices());
    return cuda::solve_joined_per_source<T, order::join>(backend.target(), turned, values,
                                                         backend.watch());
  }

  const Backend& backend_;
  const semiring_problem<S>& problem_;
  bool counts_hops_;
  row_output<T>& output_;
};

/// Runs @p asked, or what suits the backend, over a semiring that has best paths and a graph whose edges
/// are known to be valid; gives the rows to @p output.
template <class S, class Policy, class Backend, class Graph, class T = typename S::value_type>
result run_semiring_per_source(const Policy& policy, const Backend& backend,
                               std::optional<algorithm> asked, const Graph& g,
                               std::span<const std::int32_t> sources, const S& semiring,
                               row_output<T>& output) {
  constexpr bool on_device = std::is_same_v<Backend, cuda_backend>;
  const adjacency<T> arcs = make_value_adjacency<T>(g, num_vertices_of(g), backend.host_threads());
  const algorithm host_method = asked ? *asked : algorithm::dijkstra;
  const semiring_problem<S> problem{on_device ? algorithm::bellman_ford : host_method,
                                    semiring,
                                    arcs.view(),
                                    sources,
                                    to_cutoff_of(semiring, policy.cutoff()),
                                    output.wants_predecessors()};
  return semiring_per_source_call(backend, problem, policy.counts_hops(), output).run();
}

/// The same from the policy on.
template <class S, class Policy, class Graph, class T = typename S::value_type>
result semiring_per_source(const Policy& policy, std::optional<algorithm> asked, const Graph& g,
                           std::span<const std::int32_t> sources, const S& semiring,
                           row_output<T>& output) {
  return on_backend<typename S::value_type>(policy, [&](const auto& backend) -> result {
    using backend_type = std::remove_cvref_t<decltype(backend)>;
    if constexpr (std::is_same_v<backend_type, cuda_backend> && !device_order<S>::has_kernels) {
      throw no_kernels("the algorithms from one source have no CUDA kernels for this semiring");
    } else {
      check_edges(semiring, g, num_vertices_of(g), backend.host_threads());
      return run_semiring_per_source(policy, backend, asked, g, sources, semiring, output);
    }
  });
}

/// What the calls below ask of a semiring, whatever the algorithm.
template <class S, class Value>
constexpr bool has_row_values() {
  static_assert(!std::is_same_v<S, or_and>,
                "apsp: what can be reached over or_and is found by apsp::transitive_closure");
  static_assert(std::is_same_v<Value, typename S::value_type>,
                "apsp: the distances are of another type than the values of the semiring");
  return true;
}

/// True if every pair of vertices has a best path that the algorithms from one source find: if not, there
/// are negative cycles, and they are found.
template <class S>
inline constexpr bool has_best_paths = best_path_semiring<S> || is_min_plus<S>;

/// The rows go to matrices.
template <algorithm Asked, class Policy, class Graph, class Sources, class D, class P, class S>
result per_source_matrix_over(const Policy& policy, const Graph& g, Sources& sources, D& distances,
                              P& predecessors, [[maybe_unused]] const S& semiring) {
  static_assert(
      Asked != algorithm::dijkstra || has_best_paths<S>,
      "apsp: dijkstra needs a semiring that has a best path for every pair of vertices: one "
      "that says is_selective and cycles_never_improve");
  static_assert(
      Asked != algorithm::bellman_ford || has_best_paths<S>,
      "apsp: bellman_ford needs a semiring that has a best path for every pair of vertices: "
      "one that says is_selective and cycles_never_improve");
  static_assert(Asked != algorithm::johnson || is_min_plus<S>,
                "apsp: johnson needs a semiring whose weights can be made non-negative, which is "
                "min_plus; over others use dijkstra");
  static_assert(has_row_values<S, matrix_value_t<D>>());
  if constexpr (is_min_plus<S>) {
    return per_source_matrix(policy, Asked, g, sources, distances, predecessors);
  } else if constexpr (lie_in_device_memory<Graph, D, P>) {
    check_resident_semiring<is_min_plus<S>>();
  } else if constexpr (best_path_semiring<S>) {
    const std::size_t n = check_graph<matrix_value_t<D>>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    check_matrices(distances, predecessors, list.size(), n);
    matrix_output<D, P> output(distances, predecessors, n);
    return semiring_per_source(policy, Asked, g, list, semiring, output);
  }
}

/// The rows go to a function.
template <class T, class Policy, class Graph, class Sources, class F, class S>
result per_source_rows_over(const Policy& policy, const Graph& g, Sources& sources, F& f,
                            [[maybe_unused]] const S& semiring) {
  static_assert(
      has_best_paths<S>,
      "apsp: for_each_row needs a semiring that has a best path for every pair of vertices: "
      "one that says is_selective and cycles_never_improve");
  static_assert(has_row_values<S, T>());
  if constexpr (is_min_plus<S>) {
    return per_source_rows<T>(policy, g, sources, f);
  } else if constexpr (device_resident<Graph>) {
    check_resident_semiring<is_min_plus<S>>();
  } else if constexpr (best_path_semiring<S>) {
    const std::size_t n = check_graph<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    function_output<T, F> output(f, n);
    return semiring_per_source(policy, std::nullopt, g, list, semiring, output);
  }
}

}  // namespace apsp::detail
