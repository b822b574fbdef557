// SPDX-License-Identifier: BSL-1.0
// A graph_adaptor that calls f(u, v) without the weight.
#include <apsp/apsp.hpp>

struct road_map {};

template <>
struct apsp::graph_adaptor<road_map> {
  using weight_type = int;
  static std::size_t num_vertices(const road_map&) { return 2; }
  template <class F>
  static void for_each_edge(const road_map&, F f) {
#ifdef APSP_TEST_RIGHT
    f(0, 1, 7);
#else
    f(0, 1);
#endif
  }
};

bool solve(const road_map& roads, apsp::matrix<int>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, roads, distances));
}
