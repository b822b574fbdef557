// SPDX-License-Identifier: BSL-1.0
// A path between vertices that are not numbers.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>
#include <boost/graph/adjacency_list.hpp>

using graph = boost::adjacency_list<boost::vecS, boost::listS>;
using vertex = boost::graph_traits<graph>::vertex_descriptor;

bool is_reached([[maybe_unused]] const graph& g, const apsp::matrix<int>& predecessors, vertex a,
                vertex b) {
#ifdef APSP_TEST_RIGHT
  const auto number = apsp::numbers_by_vertex(g);
  return !apsp::path(predecessors, number(a), number(b)).empty();
#else
  return !apsp::path(predecessors, a, b).empty();
#endif
}
