// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>

#include "../../apsp/graph.hpp"
#include "../values/weight.hpp"
#include "edges.hpp"

// Type erasure for the graph of a call.
namespace apsp::inline v1::detail {

/// A valid graph whose weights are converted to distances of type T. Programs call the algorithms
/// with many graph types; code that runs on this type is compiled once for all of them.
template <class T>
class erased_graph {
 public:
  /// @param g  must outlive this object; it is not copied.
  template <class Graph>
  explicit erased_graph(const Graph& g)
      : graph_(&g),
        num_vertices_(num_vertices_of(g)),
        has_out_edges_(detail::has_out_edges(g)),
        read_(&read<Graph>) {}

  std::size_t num_vertices() const { return num_vertices_; }
  /// True if the arcs of a single vertex can be read.
  bool has_out_edges() const { return has_out_edges_; }

  /// Calls f(u, v, w) for every arc, or only for those of @p source if there are `has_out_edges`.
  template <class F>
  void for_each_arc(std::size_t source, F f) const {
    read_(graph_, source, &f, [](void* to, const weighted_arc<T>* arcs, std::size_t count) {
      for (std::size_t a = 0; a < count; ++a) {
        (*static_cast<F*>(to))(arcs[a].source, arcs[a].target, arcs[a].weight);
      }
    });
  }

 private:
  // Arcs are passed in groups, so that a group shares one indirect call.
  static constexpr std::size_t arcs_at_a_time = 64;
  using take_arcs = void (*)(void* to, const weighted_arc<T>* arcs, std::size_t count);

  template <class Graph>
  static void read(const void* graph, [[maybe_unused]] std::size_t source, void* to,
                   take_arcs take) {
    const Graph& g = *static_cast<const Graph*>(graph);
    std::array<weighted_arc<T>, arcs_at_a_time> buffer;
    std::size_t count = 0;
    const auto add = [&](auto u, auto v, const auto& w) {
      auto fault = edge_fault::none;  // The weights have been checked.
      buffer[count++] = {static_cast<std::size_t>(u), static_cast<std::size_t>(v),
                         to_distance<T>(w, fault)};
      if (count == buffer.size()) {
        take(to, buffer.data(), count);
        count = 0;
      }
    };
    const auto add_out_edge = [&](auto v, const auto& w) { add(source, v, w); };
    if constexpr (always_has_out_edges<Graph>) {
      read_out_edges(g, source, add_out_edge);
    } else if constexpr (graph_with_out_edges<Graph>) {
      if (detail::has_out_edges(g)) {
        read_out_edges(g, source, add_out_edge);
      } else {
        read_edges(g, add);
      }
    } else {
      read_edges(g, add);
    }
    take(to, buffer.data(), count);
  }

  const void* graph_;
  std::size_t num_vertices_;
  bool has_out_edges_;
  void (*read_)(const void* graph, std::size_t source, void* to, take_arcs take);
};

/// Graph @p g as an `erased_graph`. A dense graph is returned unchanged: it has as many entries as
/// the result, so direct access matters.
template <class T, class Graph>
decltype(auto) erase_graph(const Graph& g) {
  if constexpr (requires { graph_adaptor_t<Graph>::dense_entries(g); }) {
    return (g);
  } else {
    return erased_graph<T>(g);
  }
}

}  // namespace apsp::inline v1::detail

template <class T>
struct apsp::graph_adaptor<apsp::detail::erased_graph<T>> {
  using weight_type = T;
  using graph_type = detail::erased_graph<T>;

  static std::size_t num_vertices(const graph_type& g) { return g.num_vertices(); }
  static bool has_out_edges(const graph_type& g) { return g.has_out_edges(); }

  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    const std::size_t num_reads = g.has_out_edges() ? g.num_vertices() : 1;
    for (std::size_t u = 0; u < num_reads; ++u) g.for_each_arc(u, f);
  }

  /// Only if the graph has_out_edges.
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f) {
    g.for_each_arc(u, [&](std::size_t, std::size_t v, const T& w) { f(v, w); });
  }
};
