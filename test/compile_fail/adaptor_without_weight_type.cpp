// SPDX-License-Identifier: BSL-1.0
// A graph_adaptor without weight_type.
#include <apsp/apsp.hpp>

struct road_map {};

template <>
struct apsp::graph_adaptor<road_map> {
#ifdef APSP_TEST_RIGHT
  using weight_type = int;
#endif
  static std::size_t num_vertices(const road_map&) { return 2; }
  template <class F>
  static void for_each_edge(const road_map&, F f) {
    f(0, 1, 7);
  }
};

bool solve(const road_map& roads, apsp::matrix<int>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, roads, distances));
}
