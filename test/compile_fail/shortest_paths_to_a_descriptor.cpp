// SPDX-License-Identifier: BSL-1.0
// Paths to a vertex that is no number.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>

using graph = boost::adjacency_list<boost::vecS, boost::listS>;
using vertex = boost::graph_traits<graph>::vertex_descriptor;

bool is_reached([[maybe_unused]] const graph& g, const apsp::predecessor_lists_view& predecessors,
                vertex target) {
#ifdef APSP_TEST_RIGHT
  const auto number = apsp::numbers_by_vertex(g);
  const auto paths = apsp::shortest_paths(predecessors, number(target));
#else
  const auto paths = apsp::shortest_paths(predecessors, target);
#endif
  return paths.begin() != paths.end();
}
