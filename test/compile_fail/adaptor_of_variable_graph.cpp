// SPDX-License-Identifier: BSL-1.0
// A graph_adaptor whose functions take a graph that is not const.
#include <apsp/apsp.hpp>

struct road_map {};
#ifdef APSP_TEST_RIGHT
using read_map = const road_map;
#else
using read_map = road_map;
#endif

template <>
struct apsp::graph_adaptor<road_map> {
  using weight_type = int;
  static std::size_t num_vertices(read_map&) { return 2; }
  template <class F>
  static void for_each_edge(const road_map&, F f) {
    f(0, 1, 7);
  }
};

bool solve(road_map& roads, apsp::matrix<int>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, roads, distances));
}
