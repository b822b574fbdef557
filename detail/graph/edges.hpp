// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../apsp/graph.hpp"
#include "../host/parallel_for.hpp"
#include "../values/not_a_number.hpp"
#include "../values/weight.hpp"

// Reads the edges of any graph. Every algorithm starts with it.
namespace apsp::detail {

/// True if the arcs of @p g can be read vertex by vertex. For most graphs the type tells it.
template <class Graph>
constexpr bool has_out_edges([[maybe_unused]] const Graph& g) {
  if constexpr (requires { graph_adaptor_t<Graph>::has_out_edges(g); }) {
    return graph_adaptor_t<Graph>::has_out_edges(g);
  } else {
    return graph_with_out_edges<Graph>;
  }
}
template <class Graph>
concept always_has_out_edges = graph_with_out_edges<Graph> && !requires(const Graph& g) {
  graph_adaptor_t<Graph>::has_out_edges(g);
};

/// Calls f(u, v, w) for every arc, from several threads if the graph can be read vertex by vertex.
/// All arcs of one source are read by the same thread.
template <class Graph, class F>
void visit_edges(const Graph& g, int threads, F f) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (graph_with_out_edges<Graph>) {
    if (has_out_edges(g)) {
      host::parallel_for(num_vertices_of(g), threads, [&](std::size_t u) {
        adaptor::for_each_out_edge(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
      });
      return;
    }
  }
  if constexpr (!always_has_out_edges<Graph>) {
    adaptor::for_each_edge(g, [&](auto u, auto v, const auto& w) {
      f(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w);
    });
  }
}

/// A lower bound of the number of edges, without reading them: exact for dense graphs and CSR.
template <class Graph>
std::size_t least_edges([[maybe_unused]] const Graph& g, [[maybe_unused]] std::size_t n) {
  if constexpr (requires { graph_adaptor_t<Graph>::dense_entries(g); }) {
    return n * n;
  } else if constexpr (requires { std::size_t{g.num_edges()}; }) {
    return g.num_edges();
  } else {
    return 0;
  }
}

/// Reads all edges of a graph that its adaptor has validated, once, and changes nothing.
/// @throws std::invalid_argument if a vertex is out of range, or if a weight is NaN, minus
/// infinity, or out of the range of T.
template <class T, class Graph>
weight_range<T> find_weight_range(const Graph& g, std::size_t n, int threads) {
  using adaptor = graph_adaptor_t<Graph>;
  const auto add = [n](weight_range<T>& summary, std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    if (u >= n || v >= n) fault = edge_fault::vertex;
    if (fault != edge_fault::none) throw_edge_fault(fault, u, v, n);
    if (equals_unreachable(weight)) return;
    ++summary.num_edges;
    if (weight < summary.smallest) summary.smallest = weight;
    if (summary.largest < weight) summary.largest = weight;
  };
  weight_range<T> total;
  if constexpr (always_has_out_edges<Graph>) {
    // Groups of rows are reduced separately and combined at the end, so that threads share nothing.
    constexpr std::size_t rows_per_part = 64;
    std::vector<weight_range<T>> parts((n + rows_per_part - 1) / rows_per_part);
    host::parallel_for(parts.size(), threads, [&](std::size_t part) {
      weight_range<T> summary;
      const std::size_t end = std::min(n, (part + 1) * rows_per_part);
      for (std::size_t u = part * rows_per_part; u < end; ++u) {
        adaptor::for_each_out_edge(g, u,
                                   [&](std::size_t v, const auto& w) { add(summary, u, v, w); });
      }
      parts[part] = summary;
    });
    for (const auto& part : parts) {
      total.num_edges += part.num_edges;
      if (part.smallest < total.smallest) total.smallest = part.smallest;
      if (total.largest < part.largest) total.largest = part.largest;
    }
  } else {
    visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) { add(total, u, v, w); });
  }
  return total;
}

/// The arcs of a graph validated by `find_weight_range`, without arcs of unreachable weight.
template <class T, class Graph>
std::vector<weighted_arc<T>> collect_arcs(const Graph& g, std::size_t num_edges) {
  std::vector<weighted_arc<T>> arcs;
  arcs.reserve(num_edges);
  visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    if (!equals_unreachable(weight)) arcs.push_back({u, v, weight});
  });
  return arcs;
}

}  // namespace apsp::detail
