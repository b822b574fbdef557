// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <limits>

#include "../apsp/graph.hpp"
#include "../apsp/semiring.hpp"
#include "../apsp/unreachable.hpp"
#include "edges.hpp"

// Reading the edges of a graph whose weights are values of a semiring other than `min_plus`.
namespace apsp::detail {

/// True if an edge of that weight is none.
template <class T>
bool means_no_edge(const T& w) {
  if constexpr (std::numeric_limits<T>::is_specialized) {
    return w == unreachable<T>;
  } else {
    return false;
  }
}

/// Weight @p w as a value of the semiring. Says so in @p fault if it is none.
template <class S, class W>
typename S::value_type to_value(const S& semiring, const W& w, edge_fault& fault) {
  using T = typename S::value_type;
  const T value = to_distance<T>(w, fault);
  // Below which there is nothing: in these semirings a value as others.
  if (fault == edge_fault::minus_infinity) fault = edge_fault::none;
  if constexpr (requires { semiring.admits(value); }) {
    if (fault == edge_fault::none && !means_no_edge(value) && !semiring.admits(value)) {
      fault = edge_fault::not_admitted;
    }
  }
  return value;
}

/// Reads all edges of a graph, whose adaptor has validated it, once and changes nothing.
/// @throws std::invalid_argument if a vertex is out of range, or a weight is NaN or no value of the
/// semiring.
template <class S, class Graph>
void check_edges(const S& semiring, const Graph& g, std::size_t n, int threads) {
  visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    static_cast<void>(to_value(semiring, w, fault));
    if (u >= n || v >= n) fault = edge_fault::vertex;
    if (fault != edge_fault::none) throw_edge_fault(fault, u, v, n);
  });
}

/// Calls f(u, v, value) for every arc of a graph that `check_edges` has found valid, from several
/// threads as `visit_edges` does.
template <class S, class Graph, class F>
void visit_values(const S& semiring, const Graph& g, int threads, F f) {
  visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const typename S::value_type value = to_value(semiring, w, fault);
    if (!means_no_edge(value)) f(u, v, value);
  });
}

}  // namespace apsp::detail
