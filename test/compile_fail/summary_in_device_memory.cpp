// SPDX-License-Identifier: BSL-1.0
// A summary of distances in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

double total(const apsp::device_matrix<float>& distances) {
#ifdef APSP_TEST_RIGHT
  return apsp::summarize_distances(apsp::cuda_tiled, distances).total_distance();
#else
  return apsp::summarize_distances(apsp::omp, distances).total_distance();
#endif
}
