// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../apsp/error.hpp"
#include "../apsp/matrix.hpp"
#include "../apsp/policy.hpp"
#include "backend.hpp"
#include "floyd_warshall.hpp"
#include "weight_types.hpp"

// From what the caller asked for (policy, weight type) to what will run (backend).
namespace apsp::detail {

/// True if the CUDA kernels can compute distances of type T: integers run in the narrowest type
/// that has kernels.
template <class T>
inline constexpr bool has_cuda_kernels = has_compiled_kernels<T> || std::is_integral_v<T>;

/// Calls f(backend) with the backend for @p policy and distances of type T; its result says why if
/// that is not the one asked for.
template <class T, class F>
result on_backend(const seq_policy&, F f) {
  return f(host_backend(backend::seq, 1));
}

template <class T, class F>
result on_backend(const omp_policy& policy, F f) {
  return f(host_backend(backend::omp, policy.threads()));
}

template <class T, backend Kernels, class F>
result on_backend(const cuda_policy<Kernels>& policy, F f) {
  std::string reason;
  if constexpr (has_cuda_kernels<T>) {
    reason = cuda::why_unusable(policy.device());
    if (reason.empty()) {
      return f(cuda_backend({Kernels, policy.device(), policy.stream()}));
    }
  } else {
    reason = "there are no CUDA kernels for this weight type";
  }
  if (policy.is_required()) throw device_error(reason);
  result done = f(host_backend(backend::omp, 0));
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

/// Checks everything that can be checked before the first entry is written, and runs.
template <class Policy, class Graph, class D, class P>
result floyd_warshall(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                      diagonal diag = diagonal::zero) {
  using T = matrix_value_t<D>;
  static_assert(!std::is_same_v<T, bool> && !(std::is_integral_v<T> && sizeof(T) > 8),
                "apsp: distances are bool, or integers of more than 64 bits");
  static_assert(graph_with_weights<Graph>,
                "apsp: this graph has no weights; give it some with apsp::weighted(g, w) or "
                "apsp::unweighted(g)");
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (requires { adaptor::validate(g); }) adaptor::validate(g);
  const std::size_t n = num_vertices_of(g);
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("apsp: more than 2^31 - 1 vertices");
  }
  require_square(distances, n, "the distance matrix");
  if constexpr (!std::is_same_v<P, no_predecessors>) {
    require_square(predecessors, n, "the predecessor matrix");
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
  if constexpr (requires { adaptor::dense_entries(g); }) {
    if (lies_in(g, distances)) {
      static_cast<void>(summarize_edges<T>(g, n, 1));
      matrix<T> copy(n, n, unreachable<T>);
      visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
        auto fault = edge_fault::none;
        copy[u][v] = to_distance<T>(w, fault);
      });
      return floyd_warshall(policy, std::as_const(copy), distances, predecessors, diag);
    }
  }
  return on_backend<T>(policy, [&](const auto& backend) {
    const auto weights = summarize_edges<T>(g, n, backend.host_threads());
    using call = floyd_warshall_call<std::remove_cvref_t<decltype(backend)>, Graph, D, P>;
    return call(backend, g, distances, predecessors, diag, weights).run();
  });
}

}  // namespace apsp::detail
