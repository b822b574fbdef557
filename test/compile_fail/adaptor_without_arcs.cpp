// SPDX-License-Identifier: BSL-1.0
// Weights for a graph whose adaptor has no handles of edges.
#include <apsp/apsp.hpp>

struct road_map {};

template <>
struct apsp::graph_adaptor<road_map> {
  using weight_type = void;
  static std::size_t num_vertices(const road_map&) { return 2; }
#ifdef APSP_TEST_RIGHT
  using edge_type = int;
  template <class F>
  static void for_each_arc(const road_map&, F f) {
    f(0, 1, 0);
  }
#endif
};

bool solve(const road_map& roads, apsp::matrix<int>& distances) {
  return bool(apsp::floyd_warshall(apsp::seq, apsp::unweighted(roads), distances));
}
