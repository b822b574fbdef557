// SPDX-License-Identifier: BSL-1.0
// Weights for a Boost.Graph type without the header of its adaptor.
#include <apsp/apsp.hpp>
#include <boost/graph/adjacency_list.hpp>
#ifdef APSP_TEST_RIGHT
#include <apsp/boost_graph.hpp>
#endif

struct road {
  float km;
};
using graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, road>;

bool solve(const graph& g, apsp::matrix<float>& distances) {
  return bool(apsp::dijkstra(apsp::seq, apsp::weighted(g, &road::km), distances));
}
