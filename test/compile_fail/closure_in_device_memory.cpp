// SPDX-License-Identifier: BSL-1.0
// The closure of a graph in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool close(const apsp::device_matrix<float>& graph, apsp::bit_matrix& bits) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::transitive_closure(apsp::cuda_tiled, graph, bits));
#else
  return bool(apsp::transitive_closure(apsp::seq, graph, bits));
#endif
}
