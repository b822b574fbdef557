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

#include "../../apsp/device_graph.hpp"
#include "../../apsp/device_memory.hpp"
#include "../../apsp/error.hpp"
#include "../../apsp/graph.hpp"
#include "../../apsp/matrix.hpp"
#include "../../apsp/matrix_traits.hpp"
#include "../../apsp/policy.hpp"
#include "../../apsp/semiring.hpp"
#include "../bits/calls.hpp"
#include "../call/backend.hpp"
#include "../call/checks.hpp"
#include "../call/placement.hpp"
#include "../call/request.hpp"
#include "../device/launch_target.hpp"
#include "../graph/edges.hpp"
#include "../graph/erased_graph.hpp"
#include "../graph/semiring_edges.hpp"
#include "../host/monitor.hpp"
#include "../matrix/product_shape.hpp"
#include "../plan/rates.hpp"
#include "../values/kernel_semirings.hpp"
#include "../values/weight_types.hpp"
#include "call/closure_call.hpp"
#include "call/compiled_closures.hpp"
#include "call/device_matrices.hpp"
#include "call/device_product.hpp"
#include "call/host_matrices.hpp"
#include "call/host_product.hpp"
#include "call/product_call.hpp"
#include "problem/matrix_source.hpp"
#include "problem/problem.hpp"
#include "problem/squarings.hpp"

// Dispatches Floyd–Warshall, repeated squaring and matrix products from the policy to a backend.
namespace apsp::inline v1::detail {

template <class Policy, class Graph, class D, class P, class S>
result closure(const Policy& policy, const closure_kind& kind, const Graph& g, D& distances,
               P& predecessors, const S& semiring);

/// The closure of a graph's matrix when the graph or the results are in device memory.
template <class Policy, class Graph, class D, class P, class S>
result closure_in_device_memory(const Policy& policy, closure_method method, const Graph& g,
                                D& distances, P& predecessors, const S& semiring) {
  check_device_policy<Policy>();
  check_device_semiring<has_library_kernels<S>>();
  if constexpr (is_cuda_policy<Policy> && has_library_kernels<S>) {
    const std::size_t n = check_graph_anywhere<matrix_value_t<D>>(g);
    check_matrices(g, distances, predecessors, n, n);
    const auto on_device = [&](const cuda::launch_target& target, monitor& watch,
                               const auto& values, const auto& predecessor_view) {
      const device_matrices place(target, watch, values, predecessor_view);
      if constexpr (is_min_plus<S>) {
        return close_distances(place, {method}, g, request_of(policy),
                               find_weight_range_anywhere<matrix_value_t<D>>(target, g));
      } else {
        check_edges_anywhere(target, semiring, g);
        return close_values(place, method, g, semiring, request_of(policy));
      }
    };
    const auto on_copy = [&](const auto& copy) {
      return closure(policy.required(), {method}, copy, distances, predecessors, semiring);
    };
    return run_where_results_lie(policy, g, distances, predecessors, on_device, on_copy);
  }
}

/// The closure of a graph's matrix when all data are in host memory.
template <class Policy, class Graph, class D, class P, class S>
result closure_in_host_memory(const Policy& policy, const closure_kind& kind, const Graph& g,
                              D& distances, P& predecessors, const S& semiring) {
  using T = matrix_value_t<D>;
  using adaptor = graph_adaptor_t<Graph>;
  const std::size_t n = check_graph<T>(g);
  check_matrices(g, distances, predecessors, n, n);
  if constexpr (requires { adaptor::dense_entries(g); }) {
    if (lies_in(g, distances, n) || lies_in(g, predecessors, n)) {
      const auto copy = check_and_copy_dense(semiring, g, n);
      return closure(policy, kind, copy, distances, predecessors, semiring);
    }
  }
  constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
  const double work = closure_work<S>(n, with_predecessors) *
                      (kind.method == closure_method::repeated_squaring ? squarings_needed(n) : 1);
  const auto on_any = [&](const auto& any) {
    const auto backend = any.for_work(work);
    if constexpr (is_min_plus<S>) {
      const auto weights = find_weight_range<T>(g, n, backend.host_threads());
      return close_on_host(place_on_host<Graph>(backend, distances, predecessors), kind, g,
                           request_of(policy), weights);
    } else {
      check_edges(semiring, g, n, backend.host_threads());
      return close_values(host_matrices(backend, distances, predecessors), kind.method,
                          erase_graph<T>(g), semiring, request_of(policy));
    }
  };
  const bool keeps_checkpoints = kind.method == closure_method::floyd_warshall;
  return on_backend<S>(policy, on_any,
                       keeps_checkpoints ? checkpoint_use::kept : checkpoint_use::refused);
}

/// The closure of a graph's matrix. Checks everything that can be checked before the first entry is
/// written, then runs. Over `or_and` the closure is computed on bits.
template <class Policy, class Graph, class D, class P, class S>
result closure(const Policy& policy, const closure_kind& kind, const Graph& g, D& distances,
               P& predecessors, const S& semiring) {
  if constexpr (std::is_same_v<S, or_and>) {
    static_assert(std::is_same_v<P, no_predecessors>,
                  "apsp: or_and records no predecessors; use apsp::unweighted(g) with this "
                  "algorithm over min_plus, or with dijkstra or bellman_ford from some sources");
    return detail::transitive_closure(policy, g, distances);
  } else {
    check_closure_semiring<S, D, P>();
    if constexpr (lie_in_device_memory<Graph, D, P>) {
      return closure_in_device_memory(policy, kind.method, g, distances, predecessors, semiring);
    } else {
      return closure_in_host_memory(policy, kind, g, distances, predecessors, semiring);
    }
  }
}

template <class Policy, class Graph, class D, class P, class S>
result floyd_warshall(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                      const S& semiring, diagonal diag = diagonal::zero) {
  return closure(policy, {closure_method::floyd_warshall, diag}, g, distances, predecessors,
                 semiring);
}

template <class Policy, class Graph, class D, class P, class S>
result repeated_squaring(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                         const S& semiring) {
  return closure(policy, {closure_method::repeated_squaring}, g, distances, predecessors, semiring);
}

/// c = plus(c, a times b), in device memory.
template <class Policy, class A, class B, class D, class S>
result product_in_device_memory(const Policy& policy, A& a, B& b, D& c, const S& semiring) {
  using T = typename S::value_type;
  check_device_policy<Policy>();
  static_assert(
      device_resident<A> && device_resident<B> && device_resident<D>,
      "apsp: the matrices of a product must all be in device memory or all in host memory");
  static_assert(has_library_kernels<S> && has_compiled_kernels<T>,
                "apsp: a product over this semiring needs matrices in host memory");
  static_assert(std::is_same_v<T, matrix_value_t<A>> && std::is_same_v<T, matrix_value_t<B>>,
                "apsp: the matrices of a product in device memory must have one type");
  if constexpr (is_cuda_policy<Policy>) {
    static_cast<void>(check_product(a, b, c));
    require_matrix_memory(a);
    require_matrix_memory(b);
    require_matrix_memory(c);
    monitor watch(policy.attached_observer());
    const device_matrix_view<const T> left(device_view_of(a)), right(device_view_of(b));
    const device_matrix_view<T> sums(device_view_of(c));
    return run_on_device_of(target_of(policy), {left.data(), right.data(), sums.data()},
                            [&](const cuda::launch_target& target) {
                              result done = product_call(
                                  semiring, device_product<T>(target, watch, left, right, sums));
                              done.set_computed(watch.computed());
                              return done;
                            });
  }
}

/// Checks the semiring of a product whose result is a matrix of type D.
template <class S, class D>
constexpr void check_product_semiring() {
  using T = matrix_value_t<D>;
  static_assert(
      !(std::is_integral_v<T> && sizeof(T) > 8) && !(is_min_plus<S> && std::is_same_v<T, bool>),
      "apsp: entries of a product must not be bool or wider than 64 bits");
  check_semiring<S, D>();
}

/// c = plus(c, a times b).
template <class Policy, class A, class B, class D, class S>
result product(const Policy& policy, A& a, B& b, D& c, const S& semiring) {
  if constexpr (std::is_same_v<S, or_and>) {
    static_assert(!lie_in_device_memory<A, B, D>,
                  "apsp: a product over or_and needs matrices in host memory");
    return detail::bit_product(policy, a, b, c);
  } else {
    check_product_semiring<S, D>();
    if constexpr (lie_in_device_memory<A, B, D>) {
      return product_in_device_memory(policy, a, b, c, semiring);
    } else {
      const product_shape_of_call shape = check_product(a, b, c);
      return on_backend<S>(policy, [&](const auto& any) {
        const auto backend = any.for_work(product_work<S>(shape.rows, shape.columns, shape.depth));
        return product_call(semiring, host_product(backend, a, b, c, shape));
      });
    }
  }
}

/// c = a times b. c is written after the product is complete, because it may be a factor and must
/// stay as it is if an entry is refused.
template <class Policy, class A, class B, class D, class S>
result overwriting_product(const Policy& policy, A& a, B& b, D& c, const S& semiring) {
  static_assert(!lie_in_device_memory<A, B, D>,
                "apsp: apsp::overwrite needs matrices in host memory; set the result in device "
                "memory to unreachable, and call without it");
  if constexpr (!lie_in_device_memory<A, B, D>) {
    using T = matrix_value_t<D>;
    check_semiring<S, D>();
    const product_shape_of_call shape = check_product(a, b, c);
    matrix<T> fresh(shape.rows, shape.columns, semiring.zero);
    result done = product(policy, a, b, fresh, semiring);
    if (!done) return done;
    for (std::size_t i = 0; i < shape.rows; ++i) {
      for (std::size_t j = 0; j < shape.columns; ++j) matrix_entry(c, i, j) = fresh[i][j];
    }
    return done;
  }
}

}  // namespace apsp::inline v1::detail
