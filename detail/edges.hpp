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

#include "../apsp/graph.hpp"
#include "../apsp/unreachable.hpp"
#include "host/parallel_for.hpp"
#include "not_a_number.hpp"

// Reading the edges of any graph: what every algorithm does first.
namespace apsp::detail {

/// What can be wrong with an edge.
enum class edge_fault { none, vertex, not_a_number, minus_infinity, range, not_admitted };

/// The weights of a graph as an algorithm sees them: in the type of its distances.
template <class T>
struct weight_summary {
  std::size_t num_edges = 0;
  T smallest = unreachable<T>;  ///< Over the edges that count; `unreachable` if there are none.
  T largest = T{};              ///< At least 0.
};

/// The type of integers of the same range that the standard library compares with others: it does
/// not compare `char`, `wchar_t` and their like.
template <class T>
using plain_integer_t = typename std::conditional_t<std::is_signed_v<T>, std::make_signed<T>,
                                                    std::make_unsigned<T>>::type;
template <class T>
constexpr plain_integer_t<T> plain_integer(T x) {
  return static_cast<plain_integer_t<T>>(x);
}

/// Weight @p w as a distance. Says so in @p fault if it is no valid weight.
template <class T, class W>
T to_distance(const W& w, edge_fault& fault) {
  static_assert(std::is_convertible_v<W, T> || std::is_constructible_v<T, W>,
                "apsp: the weights of this graph cannot be converted to the type of the distances");
  static_assert(!(std::is_floating_point_v<W> && std::is_integral_v<T>),
                "apsp: the weights are floating point, but the distances are integers; use a "
                "distance matrix of float or double");
  if constexpr (std::is_same_v<W, bool>) {
    return static_cast<T>(w ? 1 : 0);
  } else if constexpr (std::is_floating_point_v<W>) {
    if (is_nan(w)) fault = edge_fault::not_a_number;
    if (is_infinite(w) && std::signbit(w)) fault = edge_fault::minus_infinity;
    const T converted = static_cast<T>(w);
    if constexpr (std::is_floating_point_v<T>) {
      if (is_infinite(converted) && !is_infinite(w)) fault = edge_fault::range;
    }
    return converted;
  } else if constexpr (std::is_integral_v<W> && std::is_integral_v<T>) {
    if (w == unreachable<W>) return unreachable<T>;
    if (!std::in_range<plain_integer_t<T>>(plain_integer(w))) fault = edge_fault::range;
    return static_cast<T>(w);
  } else if constexpr (std::is_integral_v<W>) {
    return w == unreachable<W> ? unreachable<T> : static_cast<T>(w);
  } else {
    const T converted = static_cast<T>(w);
    if constexpr (std::is_floating_point_v<T>) {
      if (is_nan(converted)) fault = edge_fault::not_a_number;
      if (is_infinite(converted) && std::signbit(converted)) fault = edge_fault::minus_infinity;
    }
    return converted;
  }
}

/// @throws std::invalid_argument that names the arc from u to v.
[[noreturn]] inline void throw_edge_fault(edge_fault fault, std::size_t u, std::size_t v,
                                          std::size_t n) {
  // A negative vertex was converted.
  const std::string arc = "apsp: the arc from " + std::to_string(static_cast<std::ptrdiff_t>(u)) +
                          " to " + std::to_string(static_cast<std::ptrdiff_t>(v));
  switch (fault) {
    case edge_fault::vertex:
      throw std::invalid_argument(arc + " leaves the " + std::to_string(n) +
                                  " vertices of the graph");
    case edge_fault::not_a_number:
      throw std::invalid_argument(arc + " has a weight that is NaN");
    case edge_fault::minus_infinity:
      throw std::invalid_argument(arc + " has a weight of minus infinity");
    case edge_fault::not_admitted:
      throw std::invalid_argument(arc + " has a weight that this semiring does not admit");
    default:
      throw std::invalid_argument(arc + " has a weight out of the range of the distances");
  }
}

/// Calls f(u, v, w) for every arc, from several threads if the graph can be read vertex by vertex.
/// Two arcs of one source never meet in two threads.
template <class Graph, class F>
void visit_edges(const Graph& g, int threads, F f) {
  using adaptor = graph_adaptor_t<Graph>;
  if constexpr (graph_with_out_edges<Graph>) {
    host::parallel_for(num_vertices_of(g), threads, [&](std::size_t u) {
      adaptor::for_each_out_edge(g, u, [&](std::size_t v, const auto& w) { f(u, v, w); });
    });
  } else {
    adaptor::for_each_edge(g, [&](auto u, auto v, const auto& w) {
      f(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w);
    });
  }
}

/// Reads all edges of a graph, whose adaptor has validated it, once and changes nothing.
/// @throws std::invalid_argument if a vertex is out of range, or a weight is NaN, minus infinity,
/// or not a value of T.
template <class T, class Graph>
weight_summary<T> summarize_edges(const Graph& g, std::size_t n, int threads) {
  using adaptor = graph_adaptor_t<Graph>;
  const auto add = [n](weight_summary<T>& summary, std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    if (u >= n || v >= n) fault = edge_fault::vertex;
    if (fault != edge_fault::none) throw_edge_fault(fault, u, v, n);
    if (weight == unreachable<T>) return;
    ++summary.num_edges;
    if (weight < summary.smallest) summary.smallest = weight;
    if (summary.largest < weight) summary.largest = weight;
  };
  weight_summary<T> total;
  if constexpr (graph_with_out_edges<Graph>) {
    // Rows are summed up apart and then together, so that threads share nothing.
    constexpr std::size_t rows_per_part = 64;
    std::vector<weight_summary<T>> parts((n + rows_per_part - 1) / rows_per_part);
    host::parallel_for(parts.size(), threads, [&](std::size_t part) {
      weight_summary<T> summary;
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

/// An arc as the algorithms keep it.
template <class T>
struct weighted_arc {
  std::size_t source;
  std::size_t target;
  T weight;
};

/// The arcs of a graph that `summarize_edges` has found valid, without those of unreachable weight.
template <class T, class Graph>
std::vector<weighted_arc<T>> collect_arcs(const Graph& g, std::size_t num_edges) {
  std::vector<weighted_arc<T>> arcs;
  arcs.reserve(num_edges);
  visit_edges(g, 1, [&](std::size_t u, std::size_t v, const auto& w) {
    auto fault = edge_fault::none;
    const T weight = to_distance<T>(w, fault);
    if (!(weight == unreachable<T>)) arcs.push_back({u, v, weight});
  });
  return arcs;
}

}  // namespace apsp::detail
