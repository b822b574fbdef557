// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../apsp/error.hpp"
#include "../apsp/matrix.hpp"
#include "../apsp/policy.hpp"
#include "../apsp/semiring.hpp"
#include "algorithm_choice.hpp"
#include "backend.hpp"
#include "call_checks.hpp"
#include "closure.hpp"
#include "erased_graph.hpp"
#include "kernel_semirings.hpp"
#include "monitor.hpp"
#include "per_source.hpp"
#include "per_source_output.hpp"
#include "product.hpp"
#include "resident_closure.hpp"
#include "resident_per_source.hpp"
#include "resident_product.hpp"
#include "resident_semiring_closure.hpp"
#include "semiring_closure.hpp"
#include "semiring_edges.hpp"
#include "sources.hpp"
#include "weight_types.hpp"

// From what the caller asked for (policy, weight type) to what will run (backend).
namespace apsp::detail {

/// True if the CUDA kernels can compute distances of type X, or over a semiring X: sums of integers run
/// in the narrowest type that has kernels.
template <class X>
inline constexpr bool runs_on_cuda = has_compiled_kernels<X> || std::is_integral_v<X>;
template <semiring S>
inline constexpr bool runs_on_cuda<S> = has_cuda_kernels<S>;
template <class T>
inline constexpr bool runs_on_cuda<min_plus<T>> = runs_on_cuda<T>;

/// Calls f(backend) with the backend for @p policy and distances of type T, or over a semiring T; its
/// result says why if that is not the one asked for.
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

/// What a policy asks of a device.
template <backend Kernels, class Observer>
cuda::launch_target target_of(const cuda_policy<Kernels, Observer>& policy) {
  return {Kernels, policy.device(), policy.stream(), policy.memory_limit(), policy.strategy()};
}

template <class T, backend Kernels, class Observer, class F>
result on_backend(const cuda_policy<Kernels, Observer>& policy, F f) {
  monitor watch(policy.watcher());
  std::string reason;
  if constexpr (runs_on_cuda<T>) {
    reason = cuda::why_unusable(policy.device(), policy.stream());
    if (reason.empty()) {
      try {
        return f(cuda_backend(target_of(policy), watch));
      } catch (const no_kernels& error) {
        if (policy.is_required()) throw;
        reason = error.what();
      }
    }
  } else {
    reason = semiring<T> && !is_min_plus<T> ? "there are no CUDA kernels for this semiring"
                                            : "there are no CUDA kernels for this weight type";
  }
  if (policy.is_required()) throw device_error(reason);
  result done = f(host_backend(backend::omp, 0, watch));
  done.set_fallback_reason(std::move(reason));
  return done;
}

template <class Policy, class Graph, class D, class P, class S>
result closure(const Policy& policy, closure_method method, const Graph& g, D& distances,
               P& predecessors, const S& semiring, diagonal diag = diagonal::zero);

/// Calls f(copy) with a copy in host memory of a graph in device memory, whose device is selected
/// meanwhile.
template <class Policy, class Graph, class F>
result with_selected_copy(const Policy& policy, const Graph& g, F f) {
  const int device = device_of(g, policy.device());
  const std::string reason = cuda::why_unusable(device, policy.stream());
  if (!reason.empty()) throw device_error(reason);
  const cuda::device_selection selected(device);
  return with_host_copy(g, policy.stream(), f);
}

/// Runs a call that has data in device memory: @p on_device where the results are wanted there, with a target,
/// what watches the call, and views of the results; or else @p on_copy with a copy of the graph.
template <class Policy, class Graph, class D, class P, class OnDevice, class OnCopy>
result run_where_results_lie(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                             [[maybe_unused]] OnDevice on_device, [[maybe_unused]] OnCopy on_copy) {
  if constexpr (device_resident<D>) {
    check_resident_results(distances, predecessors);
    monitor watch(policy.watcher());
    return on_device_of(target_of(policy), g, distances, predecessors,
                        [&](const cuda::launch_target& target, const auto& to,
                            const auto& hops_to) { return on_device(target, watch, to, hops_to); });
  } else {
    static_assert(!device_resident<P>,
                  "apsp: distances and predecessors both lie in device memory, or neither does");
    return with_selected_copy(policy, g, on_copy);
  }
}

/// The closure of a graph's matrix where that or the results lie in device memory.
template <class Policy, class Graph, class D, class P, class S>
result closure_in_device_memory(const Policy& policy, closure_method method, const Graph& g,
                                D& distances, P& predecessors, const S& semiring) {
  check_resident_policy<Policy>();
  check_resident_semiring<has_library_kernels<S>>();
  if constexpr (is_cuda_policy<Policy> && has_library_kernels<S>) {
    const std::size_t n = check_graph_anywhere<matrix_value_t<D>>(g);
    check_matrices(distances, predecessors, n, n);
    const auto on_device = [&](const cuda::launch_target& target, monitor& watch,
                               const auto& values, const auto& hops) {
      using hops_type = std::remove_cvref_t<decltype(hops)>;
      if constexpr (is_min_plus<S>) {
        return resident_closure(target, watch, method, g, values, hops, policy.cutoff(),
                                policy.counts_hops());
      } else {
        return resident_semiring_closure_call<S, Graph, hops_type>(target, watch, method, semiring,
                                                                   g, values, hops, policy.cutoff(),
                                                                   policy.counts_hops())
            .run();
      }
    };
    const auto on_copy = [&](const auto& copy) {
      return closure(policy.required(), method, copy, distances, predecessors, semiring,
                     diagonal::zero);
    };
    return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
  }
}

/// The closure of a graph's matrix. Checks everything that can be checked before the first entry is
/// written, and runs.
template <class Policy, class Graph, class D, class P, class S>
result closure(const Policy& policy, closure_method method, const Graph& g, D& distances,
               P& predecessors, const S& semiring, diagonal diag) {
  using T = matrix_value_t<D>;
  using adaptor = graph_adaptor_t<Graph>;
  check_closure_semiring<S, D, P>();
  if constexpr (lie_in_device_memory<Graph, D, P>) {
    return closure_in_device_memory(policy, method, g, distances, predecessors, semiring);
  } else {
    const std::size_t n = check_graph<T>(g);
    check_matrices(distances, predecessors, n, n);
    if constexpr (requires { adaptor::dense_entries(g); }) {
      if (lies_in(g, distances)) {
        const auto copy = check_and_copy_dense(semiring, g, n);
        return closure(policy, method, copy, distances, predecessors, semiring, diag);
      }
    }
    return on_backend<S>(policy, [&](const auto& backend) {
      if constexpr (is_min_plus<S>) {
        const auto weights = summarize_edges<T>(g, n, backend.host_threads());
        return closure_call(backend, method, erase_graph<T>(g), distances, predecessors, diag,
                            policy.cutoff(), weights, policy.counts_hops())
            .run();
      } else {
        check_edges(semiring, g, n, backend.host_threads());
        return semiring_closure_call(backend, method, semiring, erase_graph<T>(g), distances,
                                     predecessors, policy.cutoff(), policy.counts_hops())
            .run();
      }
    });
  }
}

template <class Policy, class Graph, class D, class P, class S = min_plus<matrix_value_t<D>>>
result floyd_warshall(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                      const S& semiring = {}, diagonal diag = diagonal::zero) {
  return closure(policy, closure_method::floyd_warshall, g, distances, predecessors, semiring,
                 diag);
}

template <class Policy, class Graph, class D, class P, class S = min_plus<matrix_value_t<D>>>
result repeated_squaring(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                         const S& semiring = {}) {
  return closure(policy, closure_method::repeated_squaring, g, distances, predecessors, semiring);
}

/// c = c plus a times b, in device memory.
template <class Policy, class A, class B, class D, class S>
result product_in_device_memory(const Policy& policy, A& a, B& b, D& c, const S& semiring) {
  using T = typename S::value_type;
  check_resident_policy<Policy>();
  static_assert(device_resident<A> && device_resident<B> && device_resident<D>,
                "apsp: the matrices of a product all lie in device memory, or none does");
  static_assert(has_library_kernels<S> && has_compiled_kernels<T>,
                "apsp: over this semiring the matrices of a product have to be in host memory");
  static_assert(std::is_same_v<T, matrix_value_t<A>> && std::is_same_v<T, matrix_value_t<B>>,
                "apsp: matrices in device memory are multiplied if they are of one type");
  if constexpr (is_cuda_policy<Policy>) {
    static_cast<void>(check_product(a, b, c));
    require_matrix_memory(a);
    require_matrix_memory(b);
    require_matrix_memory(c);
    monitor watch(policy.watcher());
    return resident_product(target_of(policy), watch, semiring,
                            device_matrix_view<const T>(device_view_of(a)),
                            device_matrix_view<const T>(device_view_of(b)), device_view_of(c));
  }
}

/// c = c plus a times b.
template <class Policy, class A, class B, class D, class S>
result product(const Policy& policy, A& a, B& b, D& c, const S& semiring) {
  using T = matrix_value_t<D>;
  static_assert(
      !(std::is_integral_v<T> && sizeof(T) > 8) && !(is_min_plus<S> && std::is_same_v<T, bool>),
      "apsp: the entries of a product are bool, or integers of more than 64 bits");
  check_semiring<S, D>();
  if constexpr (lie_in_device_memory<A, B, D>) {
    return product_in_device_memory(policy, a, b, c, semiring);
  } else {
    const product_shape_of_call shape = check_product(a, b, c);
    return on_backend<S>(policy, [&](const auto& backend) {
      using backend_type = std::remove_cvref_t<decltype(backend)>;
      return product_call<backend_type, S, A, B, D>(backend, semiring, a, b, c, shape).run();
    });
  }
}

/// Runs @p asked, or what suits the graph if that is nothing, and gives its rows to @p output.
template <class Policy, class Graph, class T>
result per_source(const Policy& policy, std::optional<algorithm> asked, const Graph& g,
                  std::span<const std::int32_t> sources, row_output<T>& output) {
  static_assert(check_weight_type<T>());
  return on_backend<T>(policy, [&](const auto& backend) {
    const auto weights = summarize_edges<T>(g, num_vertices_of(g), backend.host_threads());
    const auto arcs = make_adjacency<T>(g, num_vertices_of(g), backend.host_threads());
    return per_source_call(backend, asked, arcs, sources, policy.cutoff(), policy.counts_hops(),
                           weights, output)
        .run();
  });
}

/// The same where the graph or the results lie in device memory.
template <class Policy, class Graph, class D, class P>
result per_source_in_device_memory(const Policy& policy, algorithm asked, const Graph& g,
                                   std::span<const std::int32_t> sources, D& distances,
                                   P& predecessors) {
  const auto on_device = [&](const cuda::launch_target& target, monitor& watch, const auto& to,
                             const auto& hops_to) {
    return resident_per_source(target, watch, policy.is_required(), asked, g, sources, to, hops_to,
                               policy.cutoff(), policy.counts_hops(),
                               summarize_graph<matrix_value_t<D>>(target, g));
  };
  const auto on_copy = [&](const auto& copy) {
    check_vertices(copy);
    matrix_output<D, P> output(distances, predecessors, num_vertices_of(copy));
    return per_source(policy, asked, copy, sources, output);
  };
  return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
}

/// The rows go to matrices.
template <class Policy, class Graph, class Sources, class D, class P>
result per_source_matrix(const Policy& policy, algorithm asked, const Graph& g, Sources& sources,
                         D& distances, P& predecessors) {
  using T = matrix_value_t<D>;
  constexpr bool in_device_memory = lie_in_device_memory<Graph, D, P>;
  if constexpr (in_device_memory) check_resident_policy<Policy>();
  if constexpr (!in_device_memory || is_cuda_policy<Policy>) {
    const std::size_t n = check_graph_anywhere<T>(g);
    const std::vector<std::int32_t> list = list_sources(g, n, sources);
    check_matrices(distances, predecessors, list.size(), n);
    if constexpr (in_device_memory) {
      return per_source_in_device_memory(policy, asked, g, list, distances, predecessors);
    } else {
      matrix_output<D, P> output(distances, predecessors, n);
      return per_source(policy, asked, g, list, output);
    }
  }
}

/// The rows go to a function.
template <class T, class Policy, class Graph, class Sources, class F>
result per_source_rows(const Policy& policy, const Graph& g, Sources& sources, F& f) {
  const auto solve = [&](const auto& graph, std::size_t n, std::span<const std::int32_t> list) {
    function_output<T, F> output(f, n);
    return per_source(policy, std::nullopt, graph, list, output);
  };
  if constexpr (device_resident<Graph>) {
    check_resident_policy<Policy>();
    if constexpr (is_cuda_policy<Policy>) {
      const std::size_t n = check_resident_graph<T>(g);
      const std::vector<std::int32_t> list = list_sources(g, n, sources);
      return with_selected_copy(policy, g, [&](const auto& copy) {
        check_vertices(copy);
        return solve(copy, n, list);
      });
    }
  } else {
    const std::size_t n = check_graph<T>(g);
    return solve(g, n, list_sources(g, n, sources));
  }
}

template <class Policy, class Graph, class D, class P>
result all_pairs(const Policy& policy, const Graph& g, D& distances, P& predecessors);

/// All pairs where the graph or the results lie in device memory.
template <class Policy, class Graph, class D, class P>
result all_pairs_in_device_memory(const Policy& policy, const Graph& g, D& distances,
                                  P& predecessors) {
  check_resident_policy<Policy>();
  if constexpr (is_cuda_policy<Policy>) {
    const std::size_t n = check_graph_anywhere<matrix_value_t<D>>(g);
    check_matrices(distances, predecessors, n, n);
    const auto on_device = [&](const cuda::launch_target& target, monitor& watch, const auto& to,
                               const auto& hops_to) {
      return resident_all_pairs(target, watch, policy.is_required(), g, to, hops_to,
                                policy.cutoff(), policy.counts_hops());
    };
    const auto on_copy = [&](const auto& copy) {
      return all_pairs(policy, copy, distances, predecessors);
    };
    return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
  }
}

/// All pairs, by what suits the graph.
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
    check_matrices(distances, predecessors, n, n);
    if constexpr (requires { adaptor::dense_entries(g); }) {
      if (lies_in(g, distances)) {
        const auto copy = check_and_copy_dense(min_plus<T>{}, g, n);
        return all_pairs(policy, copy, distances, predecessors);
      }
    }
    return on_backend<T>(policy, [&](const auto& backend) {
      const auto weights = summarize_edges<T>(g, n, backend.host_threads());
      const algorithm chosen = choose_all_pairs(backend.name(), kind_of<T>(), n, weights.num_edges,
                                                weights.smallest < T{}, with_predecessors);
      if (chosen == algorithm::floyd_warshall) {
        return closure_call(backend, closure_method::floyd_warshall, erase_graph<T>(g), distances,
                            predecessors, diagonal::zero, policy.cutoff(), weights,
                            policy.counts_hops())
            .run();
      }
      const every_vertex all;
      const std::vector<std::int32_t> sources = list_sources(g, n, all);
      matrix_output<D, P> output(distances, predecessors, n);
      const auto arcs = make_adjacency<T>(g, n, backend.host_threads());
      row_output<T>& rows = output;
      return per_source_call(backend, chosen, arcs, sources, policy.cutoff(), policy.counts_hops(),
                             weights, rows)
          .run();
    });
  }
}

}  // namespace apsp::detail
