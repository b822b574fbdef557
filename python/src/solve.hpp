// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/csr.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "call.hpp"

// The definition of `solve`, for the files that instantiate it.
namespace apsp_python {

/// Calls f(policy) with the policy of those settings.
template <class F>
apsp::result with_policy_of(const settings& how, F f) {
  return apsp::with_policy(how.policy, [&](const auto& named) -> apsp::result {
    using policy_type = std::remove_cvref_t<decltype(named)>;
    if constexpr (policy_type::requested == apsp::backend::cuda_naive) {
      throw std::invalid_argument("apsp: expected seq, omp or cuda_tiled, got cuda_naive");
    } else {
      auto policy = named;
      if constexpr (policy_type::requested == apsp::backend::omp) {
        policy = policy.threads(how.threads);
      }
      if constexpr (policy_type::requested == apsp::backend::cuda_tiled) {
        if (how.device >= 0) policy = policy.device(how.device);
        policy = policy.required(how.required).memory_limit(how.memory_limit);
      }
      if (how.cutoff) policy = policy.cutoff(*how.cutoff);
      auto observed = policy.stop(how.stop);
      if (how.progress) observed = observed.progress(how.progress);
      return f(observed);
    }
  });
}

template <class T>
apsp::csr_view<std::int64_t, std::int32_t, T> view_of(const sparse_graph<T>& graph) {
  return {graph.offsets, graph.targets, graph.weights};
}
template <class T>
apsp::matrix_view<T> view_of(const dense_graph<T>& graph) {
  return {graph.weights, graph.num_vertices, graph.num_vertices};
}

template <class T, class Graph>
apsp::result solve(const settings& how, const Graph& graph,
                   const std::optional<std::span<const std::int64_t>>& sources,
                   const outputs<T>& results) {
  const auto view = view_of(graph);
  const apsp::matrix_view<T> distances(results.distances, results.rows, results.columns);
  const auto with_results = [&](auto call) {
    if (results.predecessors == nullptr) return call(distances);
    return call(distances, apsp::matrix_view<std::int32_t>(results.predecessors, results.rows,
                                                           results.columns));
  };
  return with_policy_of(how, [&](const auto& policy) {
    return with_results([&](const auto&... matrices) -> apsp::result {
      if (!how.algorithm) return apsp::all_pairs_shortest_paths(policy, view, matrices...);
      switch (*how.algorithm) {
        case apsp::algorithm::floyd_warshall:
          return apsp::floyd_warshall(policy, view, matrices...);
        case apsp::algorithm::dijkstra:
          if (sources) return apsp::dijkstra(policy, view, *sources, matrices...);
          return apsp::dijkstra(policy, view, matrices...);
        case apsp::algorithm::bellman_ford:
          if (sources) return apsp::bellman_ford(policy, view, *sources, matrices...);
          return apsp::bellman_ford(policy, view, matrices...);
        case apsp::algorithm::johnson:
          if (sources) return apsp::johnson(policy, view, *sources, matrices...);
          return apsp::johnson(policy, view, matrices...);
        default:
          throw std::invalid_argument("apsp: no call for " +
                                      std::string(apsp::to_string(*how.algorithm)));
      }
    });
  });
}

#define APSP_PYTHON_INSTANTIATE(T)                                                              \
  template apsp::result apsp_python::solve(const settings&, const sparse_graph<T>&,             \
                                           const std::optional<std::span<const std::int64_t>>&, \
                                           const outputs<T>&);                                  \
  template apsp::result apsp_python::solve(const settings&, const dense_graph<T>&,              \
                                           const std::optional<std::span<const std::int64_t>>&, \
                                           const outputs<T>&);

}  // namespace apsp_python
