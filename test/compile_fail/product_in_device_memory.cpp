// SPDX-License-Identifier: BSL-1.0
// A product of matrices in device memory with a host policy.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool multiply(const apsp::device_matrix<float>& a, apsp::device_matrix<float>& c) {
#ifdef APSP_TEST_RIGHT
  return bool(apsp::min_plus_product(apsp::cuda_tiled, a, a, c));
#else
  return bool(apsp::min_plus_product(apsp::seq, a, a, c));
#endif
}
