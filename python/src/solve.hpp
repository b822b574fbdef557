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
#include <type_traits>
#include <variant>

#include "call.hpp"

// The definition of `solve`, for the files that instantiate it.
namespace apsp_python {

/// Calls the algorithm of the settings.
/// @tparam Matrix   what makes a matrix of a pointer, rows and columns
/// @param sources  none: all vertices
template <template <class> class Matrix, class T, class Policy, class Graph>
apsp::result solve_view(const settings& how, const Policy& policy, const Graph& graph,
                        const std::optional<std::span<const std::int64_t>>& sources,
                        const outputs<T>& results) {
  const auto solve_into = [&](const auto&... matrices) -> apsp::result {
    if (!how.algorithm) {
      if (sources) return apsp::all_pairs_shortest_paths(policy, graph, *sources, matrices...);
      return apsp::all_pairs_shortest_paths(policy, graph, matrices...);
    }
    switch (*how.algorithm) {
      case apsp::algorithm::floyd_warshall:
        return apsp::floyd_warshall(policy, graph, matrices...);
      case apsp::algorithm::dijkstra:
        if (sources) return apsp::dijkstra(policy, graph, *sources, matrices...);
        return apsp::dijkstra(policy, graph, matrices...);
      case apsp::algorithm::bellman_ford:
        if (sources) return apsp::bellman_ford(policy, graph, *sources, matrices...);
        return apsp::bellman_ford(policy, graph, matrices...);
      case apsp::algorithm::johnson:
        if (sources) return apsp::johnson(policy, graph, *sources, matrices...);
        return apsp::johnson(policy, graph, matrices...);
      default:
        throw std::invalid_argument("apsp: no call for " +
                                    std::string(apsp::to_string(*how.algorithm)));
    }
  };
  const Matrix<T> distances(results.distances, results.rows, results.columns);
  if (results.predecessors == nullptr) return solve_into(distances);
  return solve_into(distances,
                    Matrix<std::int32_t>(results.predecessors, results.rows, results.columns));
}

template <class T>
apsp::result solve(const settings& how, const any_graph<T>& graph,
                   const std::optional<std::span<const std::int64_t>>& sources,
                   const outputs<T>& results) {
  return std::visit(
      [&]<class View>(const View& view) {
        if constexpr (std::is_same_v<View, prepared_graph<T>>) {
          return solve_prepared(how, view, sources, results);
        } else {
          return with_policy_of(how, [&](const auto& policy) {
            return solve_view<apsp::matrix_view>(how, policy, view, sources, results);
          });
        }
      },
      graph.view);
}

#define APSP_PYTHON_INSTANTIATE(T)                                                              \
  template apsp::result apsp_python::solve(const settings&, const any_graph<T>&,                \
                                           const std::optional<std::span<const std::int64_t>>&, \
                                           const outputs<T>&);

}  // namespace apsp_python
