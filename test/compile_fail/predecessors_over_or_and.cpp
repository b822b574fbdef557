// SPDX-License-Identifier: BSL-1.0
// Predecessors over or_and, which is computed on bits.
#include <apsp/bit_matrix.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstdint>

bool solve(const apsp::bit_matrix& graph, apsp::bit_matrix& closure,
           [[maybe_unused]] apsp::matrix<std::int32_t>& predecessors) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::floyd_warshall(apsp::omp, graph, closure, apsp::or_and{}));
#else
  return bool(apsp::floyd_warshall(apsp::omp, graph, closure, predecessors, apsp::or_and{}));
#endif
}
