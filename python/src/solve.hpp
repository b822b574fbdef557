// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/all_pairs_shortest_paths.hpp>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

#include "call.hpp"

// The definition of `solve`, for the files that instantiate it.
namespace apsp_python {

template <class T>
apsp::result solve(const settings& how, const any_graph<T>& graph,
                   const std::optional<std::span<const std::int64_t>>& sources,
                   const outputs<T>& results) {
  const apsp::matrix_view<T> distances(results.distances, results.rows, results.columns);
  const auto with_results = [&](auto call) {
    if (results.predecessors == nullptr) return call(distances);
    return call(distances, apsp::matrix_view<std::int32_t>(results.predecessors, results.rows,
                                                           results.columns));
  };
  const auto solve_view = [&](const auto& policy, const auto& view) {
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
  };
  return std::visit(
      [&](const auto& view) {
        return with_policy_of(how, [&](const auto& policy) { return solve_view(policy, view); });
      },
      graph.view);
}

#define APSP_PYTHON_INSTANTIATE(T)                                                              \
  template apsp::result apsp_python::solve(const settings&, const any_graph<T>&,                \
                                           const std::optional<std::span<const std::int64_t>>&, \
                                           const outputs<T>&);

}  // namespace apsp_python
