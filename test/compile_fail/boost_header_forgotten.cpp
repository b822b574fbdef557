// SPDX-License-Identifier: BSL-1.0
// A Boost.Graph type without the header of its adaptor.
#include <apsp/apsp.hpp>
#include <boost/graph/adjacency_list.hpp>
#ifdef APSP_TEST_RIGHT
#include <apsp/boost_graph.hpp>
#endif

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, float>>;

bool solve(const graph& g, apsp::matrix<float>& distances) {
  return bool(apsp::dijkstra(apsp::seq, g, distances));
}
