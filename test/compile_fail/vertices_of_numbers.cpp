// SPDX-License-Identifier: BSL-1.0
// The vertex descriptors of a graph whose vertices are numbers.
#include <apsp/apsp.hpp>
#include <apsp/boost_graph.hpp>

int main() {
#ifdef APSP_TEST_RIGHT
  const boost::adjacency_list<boost::vecS, boost::listS> g(3);
#else
  const apsp::matrix<int> g(3);
#endif
  return apsp::vertices_by_number(g).size() == 3 ? 0 : 1;
}
