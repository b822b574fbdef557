// SPDX-License-Identifier: BSL-1.0
// A semiring that counts paths, which is not idempotent.
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>

struct number_of_paths {
  using value_type = unsigned;
  static constexpr bool cycles_never_improve = true;
  static constexpr unsigned zero = 0;
  static constexpr unsigned one = 1;
  static unsigned plus(unsigned a, unsigned b) { return a + b; }
  static unsigned times(unsigned a, unsigned b) { return a * b; }
};

#ifdef APSP_TEST_RIGHT
using semiring = apsp::max_min<unsigned>;
#else
using semiring = number_of_paths;
#endif

bool solve(const apsp::matrix<unsigned>& graph, apsp::matrix<unsigned>& numbers) {
  return bool(apsp::floyd_warshall(apsp::omp, graph, numbers, semiring{}));
}
