// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/unreachable.hpp>
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../common/generators.hpp"
#include "../common/timing.hpp"

// Boost.Graph's searches from one source on the graphs of the measurements. They return their
// seconds.
namespace boost_solvers {

/// The graph of the searches from one source, which takes 8 bytes per arc, where an adjacency_list
/// with weights takes 48. The bundled edge property is the weight.
template <class W>
using csr_graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, W,
                                                     boost::no_property, std::uint32_t>;

template <class W>
csr_graph<W> make_csr(const apsp_perf::csr_arrays<W>& g) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  arcs.reserve(g.num_edges());
  apsp_perf::for_each_arc(g, [&](std::size_t u, std::size_t v, W) {
    arcs.emplace_back(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v));
  });
  return csr_graph<W>(boost::edges_are_sorted, arcs.begin(), arcs.end(), g.weights.begin(),
                      static_cast<std::uint32_t>(g.num_vertices()));
}

template <class W, class Sum>
double dijkstra(const csr_graph<W>& g, std::size_t source, Sum* row) {
  return timing::seconds_of([&] {
    boost::dijkstra_shortest_paths(g, boost::vertex(static_cast<std::uint32_t>(source), g),
                                   boost::weight_map(boost::get(boost::edge_bundle, g))
                                       .distance_map(boost::make_iterator_property_map(
                                           row, boost::get(boost::vertex_index, g)))
                                       .distance_inf(apsp::unreachable<Sum>));
  });
}

/// The number of arcs to each vertex.
/// @param colors  one for each vertex.
/// @param row     unreachable vertices keep their entry.
template <class W, class Count>
void breadth_first_search(const csr_graph<W>& g, std::size_t source, Count* row,
                          std::vector<boost::default_color_type>& colors) {
  std::fill(colors.begin(), colors.end(), boost::white_color);
  row[source] = 0;
  const auto index = boost::get(boost::vertex_index, g);
  const auto counts = boost::make_iterator_property_map(row, index);
  boost::queue<std::uint32_t> queue;
  boost::breadth_first_visit(
      g, boost::vertex(static_cast<std::uint32_t>(source), g), queue,
      boost::make_bfs_visitor(boost::record_distances(counts, boost::on_tree_edge())),
      boost::make_iterator_property_map(colors.begin(), index));
}

/// @throws std::runtime_error if the graph has a negative cycle.
template <class W, class Sum>
double bellman_ford(const csr_graph<W>& g, std::size_t source, Sum* row) {
  bool is_solved = false;
  const double seconds = timing::seconds_of([&] {
    std::fill_n(row, boost::num_vertices(g), apsp::unreachable<Sum>);
    row[source] = 0;
    is_solved = boost::bellman_ford_shortest_paths(
        g, boost::num_vertices(g), boost::get(boost::edge_bundle, g), boost::dummy_property_map(),
        boost::make_iterator_property_map(row, boost::get(boost::vertex_index, g)),
        boost::closed_plus<Sum>(apsp::unreachable<Sum>), std::less<Sum>(),
        boost::bellman_visitor<>());
  });
  if (!is_solved) throw std::runtime_error("a negative cycle in a graph that should have none");
  return seconds;
}

}  // namespace boost_solvers
