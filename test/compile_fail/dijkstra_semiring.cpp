// SPDX-License-Identifier: BSL-1.0
// A semiring that is not selective: the vertices that are on all paths.
#include <apsp/apsp.hpp>

struct vertices_on_all_paths {
  using value_type = unsigned;
  static constexpr bool is_idempotent = true;
  static constexpr unsigned zero = ~0u;
  static constexpr unsigned one = 0;
  static unsigned plus(unsigned a, unsigned b) { return a & b; }
  static unsigned times(unsigned a, unsigned b) { return a | b; }
};

#ifdef APSP_TEST_RIGHT
using semiring = apsp::min_max<unsigned>;
#else
using semiring = vertices_on_all_paths;
#endif

bool solve(const apsp::matrix<unsigned>& graph, apsp::matrix<unsigned>& distances) {
  return bool(apsp::dijkstra(apsp::omp, graph, distances, semiring{}));
}
