// SPDX-License-Identifier: BSL-1.0
// A product of matrices in host and in device memory.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>

bool multiply(const apsp::device_matrix<float>& a, const apsp::matrix<float>& b,
              apsp::device_matrix<float>& c) {
#ifdef APSP_TEST_RIGHT
  const apsp::device_matrix<float> copy(b);
  return bool(apsp::min_plus_product(apsp::cuda_tiled, a, copy, c));
#else
  return bool(apsp::min_plus_product(apsp::cuda_tiled, a, b, c));
#endif
}
