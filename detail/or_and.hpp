// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include "../apsp/result.hpp"
#include "../apsp/semiring.hpp"
#include "dispatch.hpp"
#include "matrix_rows.hpp"
#include "transitive_closure.hpp"

// The dense algorithms over `or_and` are those on bits. These overloads are better matches than the
// templates of dispatch.hpp, so who calls both by one name includes this header.
namespace apsp::detail {

template <class Policy, class Graph, class D, class P>
result floyd_warshall(const Policy& policy, const Graph& g, D& distances, P&, const or_and&) {
  static_assert(std::is_same_v<P, no_predecessors>,
                "apsp: over or_and no paths are recorded; use apsp::unweighted(g) with this "
                "algorithm over min_plus, or with dijkstra or bellman_ford from some sources");
  return detail::transitive_closure(policy, g, distances);
}

template <class Policy, class Graph, class D, class P>
result repeated_squaring(const Policy& policy, const Graph& g, D& distances, P& predecessors,
                         const or_and& semiring) {
  return detail::floyd_warshall(policy, g, distances, predecessors, semiring);
}

template <class Policy, class A, class B, class D>
result product(const Policy& policy, A& a, B& b, D& c, const or_and&) {
  static_assert(!device_resident<A> && !device_resident<B> && !device_resident<D>,
                "apsp: over or_and the matrices of a product have to be in host memory");
  return detail::bit_product(policy, a, b, c);
}

}  // namespace apsp::detail
