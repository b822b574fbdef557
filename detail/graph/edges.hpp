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
namespace apsp::inline v1::detail {

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

/// Explains by static_assert what a graph_adaptor passes to the function that it is given.
template <std::size_t Expected, class... Arc>
constexpr void explain_visit() {
  static_assert(
      Expected != 3 || sizeof...(Arc) == 3,
      "apsp: for_each_edge of the graph_adaptor must call f(u, v, w) with the source, the target "
      "and the weight of each arc");
  static_assert(
      Expected != 2 || sizeof...(Arc) == 2,
      "apsp: for_each_out_edge of the graph_adaptor must call f(v, w) with the target and the "
      "weight of each arc");
}

/// The function that the adaptor of a graph calls: @p f, which takes Expected arguments.
template <std::size_t Expected, class F>
class arc_visitor {
 public:
  explicit arc_visitor(F f) : f_(std::move(f)) {}
  template <class... Arc>
  void operator()(Arc&&... arc) const {
    if constexpr (sizeof...(Arc) == Expected) {
      f_(std::forward<Arc>(arc)...);
    } else {
      explain_visit<Expected, Arc...>();
    }
  }

 private:
  F f_;
};

/// Calls f(u, v, w) for every arc, and nothing for a graph without weights, which `check_graph`
/// refuses.
template <class Graph, class F>
void read_edges(const Graph& g, F f) {
  if constexpr (graph_with_weights<Graph>) {
    graph_adaptor_t<Graph>::for_each_edge(g, arc_visitor<3, F>(std::move(f)));
  }
}
/// Calls f(v, w) for every arc that leaves @p u.
template <class Graph, class F>
void read_out_edges(const Graph& g, std::size_t u, F f) {
  graph_adaptor_t<Graph>::for_each_out_edge(g, u, arc_visitor<2, F>(std::move(f)));
}

/// Calls f(u, v, w) for every arc, from several threads if the graph can be read vertex by vertex.
/// All arcs of one source are read by the same thread.
template <class Graph, class F>
void visit_edges(const Graph& g, int threads, F f) {
  if constexpr (graph_with_out_edges<Graph>) {
    if (has_out_edges(g)) {
      host::parallel_for(num_vertices_of(g), threads, [&](std::size_t u) {
        read_out_edges(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
      });
      return;
    }
  }
  if constexpr (!always_has_out_edges<Graph>) {
    read_edges(g, [&](auto u, auto v, const auto& w) {
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
        read_out_edges(g, u, [&](std::size_t v, const auto& w) { add(summary, u, v, w); });
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

}  // namespace apsp::inline v1::detail
