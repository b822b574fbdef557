// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "../../apsp/graph.hpp"
#include "../../apsp/semiring.hpp"
#include "../../apsp/unreachable.hpp"
#include "../host/parallel_for.hpp"
#include "../values/weight.hpp"
#include "adjacency.hpp"
#include "edges.hpp"

// Reads a graph whose weights are values of a semiring other than `min_plus`.
namespace apsp::inline v1::detail {

/// Reads all edges of a graph that its adaptor has validated, once, and changes nothing.
/// @throws std::invalid_argument if a vertex is out of range, or if a weight is NaN, not
/// representable in the type of the semiring, or not admitted by the semiring.
template <class S, class Graph>
void check_edges(const S& semiring, const Graph& g, std::size_t n, int threads) {
  using T = typename S::value_type;
  visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    // Minus infinity is an ordinary value if nothing is added.
    if (fault == edge_fault::minus_infinity) fault = edge_fault::none;
    if constexpr (weight_admitting_semiring<S>) {
      if (fault == edge_fault::none && !is_no_arc(weight) && !semiring.admits(weight)) {
        fault = edge_fault::not_admitted;
      }
    }
    if (u >= n || v >= n) fault = edge_fault::vertex;
    if (fault != edge_fault::none) throw_edge_fault(fault, u, v, n);
  });
}

/// Calls f(u, v, value) for every arc of a graph validated by `check_edges`, from several threads
/// as `visit_edges` does.
template <class T, class Graph, class F>
void visit_values(const Graph& g, int threads, F f) {
  visit_edges(g, threads, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T value = to_distance<T>(w, fault);
    if (!is_no_arc(value)) f(u, v, value);
  });
}

/// The number of those arcs.
template <class T, class Graph>
std::size_t count_values(const Graph& g, int threads) {
  const auto is_arc = [](const auto& w) {
    auto fault = edge_fault::none;
    return !is_no_arc(to_distance<T>(w, fault));
  };
  if constexpr (always_has_out_edges<Graph>) {
    std::atomic<std::size_t> total = 0;
    host::parallel_for(num_vertices_of(g), threads, [&](std::size_t u) {
      std::size_t degree = 0;
      read_out_edges(g, u, [&](std::size_t, const auto& w) { degree += is_arc(w) ? 1 : 0; });
      total.fetch_add(degree, std::memory_order_relaxed);
    });
    return total;
  } else {
    std::size_t total = 0;
    read_edges(g, [&](auto, auto, const auto& w) { total += is_arc(w) ? 1 : 0; });
    return total;
  }
}

/// The arcs of such a graph, without self-loops.
template <class T, class Graph>
adjacency<T> make_value_adjacency(const Graph& g, std::size_t n, int threads) {
  return make_adjacency_of<T>(g, n, threads, [](std::size_t u, std::size_t v, const T& value) {
    return u != v && !is_no_arc(value);
  });
}

}  // namespace apsp::inline v1::detail
