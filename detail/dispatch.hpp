// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/error.hpp"
#include "../apsp/matrix.hpp"
#include "../apsp/policy.hpp"
#include "algorithm_choice.hpp"
#include "backend.hpp"
#include "floyd_warshall.hpp"
#include "monitor.hpp"
#include "per_source.hpp"
#include "per_source_output.hpp"
#include "sources.hpp"
#include "weight_types.hpp"

// From what the caller asked for (policy, weight type) to what will run (backend).
namespace apsp::detail {

/// True if the CUDA kernels can compute distances of type T: integers run in the narrowest type
/// that has kernels.
template <class T>
inline constexpr bool has_cuda_kernels = has_compiled_kernels<T> || std::is_integral_v<T>;

/// Calls f(backend) with the backend for @p policy and distances of type T; its result says why if
/// that is not the one asked for.
template <class T, class Observer, class F>
result on_backend(const basic_seq_policy<Observer>& policy, F f) {
  monitor watch(policy.watcher());
  return f(host_backend(backend::seq, 1, watch));
}

template <class T, class Observer, class F>
result on_backend(const basic_omp_policy<Observer>& policy, F f) {
  monitor watch(policy.watcher());
  return f(host_backend(backend::omp, policy.threads(), watch));
}

template <class T, backend Kernels, class Observer, class F>
result on_backend(const cuda_policy<Kernels, Observer>& policy, F f) {
  monitor watch(policy.watcher());
  std::string reason;
  if constexpr (has_cuda_kernels<T>) {
    reason = cuda::why_unusable(policy.device(), policy.stream());
    if (reason.empty()) {
      try {
        return f(cuda_backend(
            {Kernels, policy.device(), policy.stream(), policy.memory_limit(), policy.strategy()},
            watch));
      } catch (const no_kernels& error) {
        if (policy.is_required()) throw;
        reason = error.what();
      }
    }
  } else {
    reason = "there are no CUDA kernels for this weight type";
  }
  if (policy.is_required()) throw device_error(reason);
  result done = f(host_backend(backend::omp, 0, watch));
  done.set_fallback_reason(reason);
  return done;
}

/// True if @p g is a dense graph that lies where the distances are to be written.
template <class Graph, class D>
bool lies_in(const Graph& g, const D& distances) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (graph<Graph> && graph<D> && requires { adaptor::dense_entries(g); }) {
    const void* entries = adaptor::dense_entries(g);
    return entries != nullptr && entries == graph_adaptor_t<D>::dense_entries(distances);
  } else {
    return false;
  }
}

/// Checks that a graph can be walked; gives the number of vertices.
template <class Graph>
std::size_t check_vertices(const Graph& g) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::validate(g); }) adaptor::validate(g);
  const std::size_t n = num_vertices_of(g);
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("apsp: more than 2^31 - 1 vertices");
  }
  return n;
}

/// Checks the types and the graph of a call; gives the number of vertices.
template <class T, class Graph>
std::size_t check_graph(const Graph& g) {
  static_assert(!std::is_same_v<T, bool> && !(std::is_integral_v<T> && sizeof(T) > 8),
                "apsp: distances are bool, or integers of more than 64 bits");
  static_assert(graph_with_weights<Graph>,
                "apsp: this graph has no weights; give it some with apsp::weighted(g, w) or "
                "apsp::unweighted(g)");
  return check_vertices(g);
}

/// Checks the matrices of a call, with a row for each source and a column for each of n vertices.
template <class D, class P>
void check_matrices(D& distances, P& predecessors, std::size_t rows, std::size_t n) {
  require_shape(distances, rows, n, "the distance matrix");
  if constexpr (!std::is_same_v<P, no_predecessors>) {
    require_shape(predecessors, rows, n, "the predecessor matrix");
    using index = matrix_value_t<P>;
    static_assert(std::is_integral_v<index> && !std::is_same_v<index, bool>,
                  "apsp: predecessors are vertex numbers; use a matrix of an integer type");
    if (lies_in(predecessors, distances)) {
      throw std::invalid_argument("apsp: distances and predecessors are one matrix");
    }
    // The largest unsigned number is no_predecessor, and no vertex.
    if (n != 0 && !std::in_range<index>(std::is_unsigned_v<index> ? n : n - 1)) {
      throw std::invalid_argument("apsp: the predecessor matrix is of a type too narrow for " +
                                  std::to_string(n) + " vertices");
    }
  }
}

/// The matrix of a dense graph of n vertices.
/// @throws std::invalid_argument as `summarize_edges` does.
template <class T, class Graph>
matrix<T> copy_dense(const Graph& g, std::size_t n) {
  static_cast<void>(summarize_edges<T>(g, n, 1));
  matrix<T> copy(n, n, unreachable<T>);
  visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    copy[u][v] = to_distance<T>(w, fault);
  });
  return copy;
}

/// Checks everything that can be checked before the first entry is written, and runs.
template <class Policy, class Graph, class D, class P>
result floyd_warshall(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                      diagonal diag = diagonal::zero) {
  using T = matrix_value_t<D>;
  using adaptor = graph_adaptor_t<Graph>;
  const std::size_t n = check_graph<T>(g);
  check_matrices(distances, predecessors, n, n);
  if constexpr (requires { adaptor::dense_entries(g); }) {
    if (lies_in(g, distances)) {
      const matrix<T> copy = copy_dense<T>(g, n);
      return floyd_warshall(policy, copy, distances, predecessors, diag);
    }
  }
  return on_backend<T>(policy, [&](const auto& backend) {
    const auto weights = summarize_edges<T>(g, n, backend.host_threads());
    using call = floyd_warshall_call<std::remove_cvref_t<decltype(backend)>, Graph, D, P>;
    return call(backend, g, distances, predecessors, diag, policy.cutoff(), weights).run();
  });
}

/// Runs @p asked, or what suits the graph if that is nothing, and gives its rows to @p output.
template <class Policy, class Graph, class Output>
result per_source(const Policy& policy, std::optional<algorithm> asked, const Graph& g,
                  std::span<const std::int32_t> sources, Output& output) {
  using T = typename Output::value_type;
  return on_backend<T>(policy, [&](const auto& backend) {
    const auto weights = summarize_edges<T>(g, num_vertices_of(g), backend.host_threads());
    using call = per_source_call<std::remove_cvref_t<decltype(backend)>, Graph, Output>;
    return call(backend, asked, g, sources, policy.cutoff(), weights, output).run();
  });
}

/// The rows go to matrices.
template <class Policy, class Graph, class Sources, class D, class P>
result per_source_matrix(const Policy& policy, algorithm asked, const Graph& g, Sources& sources,
                         D& distances, P& predecessors) {
  const std::size_t n = check_graph<matrix_value_t<D>>(g);
  const std::vector<std::int32_t> list = list_sources(g, n, sources);
  check_matrices(distances, predecessors, list.size(), n);
  matrix_output<D, P> output(distances, predecessors, n);
  return per_source(policy, asked, g, list, output);
}

/// The rows go to a function.
template <class T, class Policy, class Graph, class Sources, class F>
result per_source_rows(const Policy& policy, const Graph& g, Sources& sources, F& f) {
  const std::size_t n = check_graph<T>(g);
  const std::vector<std::int32_t> list = list_sources(g, n, sources);
  function_output<T, F> output(f, n);
  return per_source(policy, std::nullopt, g, list, output);
}

/// All pairs, by what suits the graph.
template <class Policy, class Graph, class D, class P>
result all_pairs(const Policy& policy, const Graph& g, D& distances, P& predecessors) {
  using T = matrix_value_t<D>;
  using adaptor = graph_adaptor_t<Graph>;
  constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
  const std::size_t n = check_graph<T>(g);
  check_matrices(distances, predecessors, n, n);
  if constexpr (requires { adaptor::dense_entries(g); }) {
    if (lies_in(g, distances)) {
      const matrix<T> copy = copy_dense<T>(g, n);
      return all_pairs(policy, copy, distances, predecessors);
    }
  }
  return on_backend<T>(policy, [&](const auto& backend) {
    using backend_type = std::remove_cvref_t<decltype(backend)>;
    const auto weights = summarize_edges<T>(g, n, backend.host_threads());
    const algorithm chosen = choose_all_pairs(backend.name(), kind_of<T>(), n, weights.num_edges,
                                              weights.smallest < T{}, with_predecessors);
    if (chosen == algorithm::floyd_warshall) {
      return floyd_warshall_call<backend_type, Graph, D, P>(
                 backend, g, distances, predecessors, diagonal::zero, policy.cutoff(), weights)
          .run();
    }
    const every_vertex all;
    const std::vector<std::int32_t> sources = list_sources(g, n, all);
    matrix_output<D, P> output(distances, predecessors, n);
    return per_source_call<backend_type, Graph, matrix_output<D, P>>(
               backend, chosen, g, sources, policy.cutoff(), weights, output)
        .run();
  });
}

}  // namespace apsp::detail
