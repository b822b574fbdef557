// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../apsp/graph.hpp"
#include "../apsp/matrix_traits.hpp"
#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "algorithm_choice.hpp"
#include "device_order.hpp"
#include "dispatch.hpp"
#include "erased_graph.hpp"
#include "kernel_semirings.hpp"
#include "or_and.hpp"
#include "per_source_output.hpp"
#include "per_source_semiring.hpp"
#include "semiring_closure.hpp"
#include "semiring_edges.hpp"
#include "sources.hpp"

// All pairs over a semiring, by what suits the graph.
namespace apsp::detail {

/// Whether all pairs over S can be solved source by source on a backend.
template <class S, class Backend>
inline constexpr bool runs_per_source =
    best_path_semiring<S> &&
    (!std::is_same_v<Backend, cuda_backend> || device_order<S>::has_kernels);

/// The choice for `min_plus` without negative weights: the kernels of the named semirings are as fast as
/// those. Other semirings run in plain loops on the host, as weights of the user's do.
template <class S, class Graph>
algorithm choose_all_pairs_over(backend b, const Graph& g, std::size_t n, bool with_predecessors,
                                int threads) {
  using T = typename S::value_type;
  const auto kind = has_library_kernels<S> ? kind_of<T>() : distance_kind::other;
  const auto choose = [&](std::size_t m) {
    return choose_all_pairs(b, kind, n, m, false, with_predecessors);
  };
  // No need to count the edges where even none would not do.
  const bool never_per_source = choose(0) == algorithm::floyd_warshall;
  return never_per_source ? algorithm::floyd_warshall : choose(count_values<T>(g, threads));
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
    check_resident_semiring<is_min_plus<S>>();
  } else if constexpr (std::is_same_v<S, or_and>) {
    return detail::floyd_warshall(policy, g, distances, predecessors, semiring);
  } else {
    check_closure_semiring<S, D, P>();
    const std::size_t n = check_graph<T>(g);
    check_matrices(distances, predecessors, n, n);
    if constexpr (requires { adaptor::dense_entries(g); }) {
      if (lies_in(g, distances, n) || lies_in(g, predecessors, n)) {
        const auto copy = check_and_copy_dense(semiring, g, n);
        return detail::all_pairs(policy, copy, distances, predecessors, semiring);
      }
    }
    return on_backend<S>(policy, [&](const auto& backend) {
      using backend_type = std::remove_cvref_t<decltype(backend)>;
      check_edges(semiring, g, n, backend.host_threads());
      if constexpr (runs_per_source<S, backend_type>) {
        constexpr bool with_predecessors = !std::is_same_v<P, no_predecessors>;
        const algorithm chosen = choose_all_pairs_over<S>(backend.name(), g, n, with_predecessors,
                                                          backend.host_threads());
        if (chosen != algorithm::floyd_warshall) {
          const every_vertex all;
          const std::vector<std::int32_t> sources = list_sources(g, n, all);
          matrix_output<D, P> output(distances, predecessors, n);
          return run_semiring_per_source(policy, backend, chosen, g, sources, semiring, output);
        }
      }
      return semiring_closure_call(backend, closure_method::floyd_warshall, semiring,
                                   erase_graph<T>(g), distances, predecessors, policy.cutoff(),
                                   policy.counts_hops())
          .run();
    });
  }
}

}  // namespace apsp::detail
