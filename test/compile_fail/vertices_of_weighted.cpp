// SPDX-License-Identifier: BSL-1.0
// The vertices of a weighted view, instead of those of the graph.
#include <apsp/boost_graph.hpp>
#include <apsp/weighted.hpp>

struct road {
  int km;
};

int main() {
  const boost::adjacency_list<boost::vecS, boost::listS, boost::directedS, boost::no_property, road>
      g(3);
#ifdef APSP_TEST_RIGHT
  const auto vertices = apsp::vertices_by_number(g);
#else
  const auto vertices = apsp::vertices_by_number(apsp::weighted(g, &road::km));
#endif
  return vertices.size() == 3 ? 0 : 1;
}
