// SPDX-License-Identifier: BSL-1.0
// Predecessors over a semiring that is not selective.
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdint>

struct kinds_of_traffic {
  using value_type = unsigned;
  static constexpr bool is_idempotent = true;
  static constexpr bool cycles_never_improve = true;
  static constexpr unsigned zero = 0;
  static constexpr unsigned one = ~0u;
  static unsigned plus(unsigned a, unsigned b) { return a | b; }
  static unsigned times(unsigned a, unsigned b) { return a & b; }
};

#ifdef APSP_TEST_RIGHT
using semiring = apsp::max_min<unsigned>;
#else
using semiring = kinds_of_traffic;
#endif

bool solve(const apsp::matrix<unsigned>& graph, apsp::matrix<unsigned>& kinds,
           apsp::matrix<std::int32_t>& predecessors) {
  return bool(apsp::floyd_warshall(apsp::omp, graph, kinds, predecessors, semiring{}));
}
