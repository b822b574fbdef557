// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../../apsp/graph.hpp"
#include "../host/monitor.hpp"
#include "../host/stop_check.hpp"
#include "edges.hpp"

namespace apsp::inline v1::detail {

/// A graph that throws `host::stop_seen` while it is read if a stop is requested.
template <class Graph>
struct watched_graph {
  const Graph& graph;
  const monitor& watch;
};

}  // namespace apsp::inline v1::detail

template <class Graph>
struct apsp::graph_adaptor<apsp::detail::watched_graph<Graph>> {
  using graph_type = detail::watched_graph<Graph>;
  using adaptor = graph_adaptor_t<Graph>;
  using weight_type = weight_type_t<Graph>;

  static std::size_t num_vertices(const graph_type& g) { return num_vertices_of(g.graph); }
  static bool has_out_edges(const graph_type& g)
    requires(!detail::always_has_out_edges<Graph>)
  {
    return detail::has_out_edges(g.graph);
  }

  template <class F>
  static void for_each_edge(const graph_type& g, F f) {
    detail::host::stop_poll poll(&g.watch);
    const auto visit = [&](auto&& u, auto&& v, const auto& w) {
      poll.after(0);
      f(u, v, w);
    };
    adaptor::for_each_edge(g.graph, visit);
  }
  /// Threads share no count of what they have read, so the token is asked for every vertex.
  template <class F>
  static void for_each_out_edge(const graph_type& g, std::size_t u, F f)
    requires graph_with_out_edges<Graph>
  {
    if (g.watch.stop_requested()) throw detail::host::stop_seen{};
    adaptor::for_each_out_edge(g.graph, u, f);
  }
};
