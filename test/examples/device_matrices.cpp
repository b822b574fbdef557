// SPDX-License-Identifier: BSL-1.0
// Matrices that stay on the device between calls, in a program that contains no CUDA code.
#include <apsp/apsp.hpp>
#include <apsp/device_matrix.hpp>
#include <cstddef>
#include <iostream>

int main() {
  // A directed ring of n towns.
  constexpr std::size_t n = 300;
  apsp::matrix<float> roads(n, n, apsp::unreachable<float>);
  for (std::size_t u = 0; u < n; ++u) roads[u][(u + 1) % n] = 2;

  apsp::matrix<float> expected(n);
  const apsp::result tried = apsp::floyd_warshall(apsp::cuda_tiled, roads, expected);
  if (tried.executed_on() != apsp::backend::cuda_tiled) {
    std::cout << "skipped: " << tried.fallback_reason() << '\n';
    return 77;
  }

  apsp::device_matrix<float> distances(roads);  // a copy of an apsp::matrix<float>
  const apsp::result done = apsp::floyd_warshall(apsp::cuda_tiled, distances, distances);
  const apsp::matrix<float> on_host = distances.to_host();

  // Another product: c[i][j] = min(c[i][j], a[i][k] + b[k][j])
  apsp::device_matrix<float> b(roads), c(roads);
  const apsp::result multiplied = apsp::min_plus_product(apsp::cuda_tiled, distances, b, c);

  std::cout << "half way round it is " << on_host[0][n / 2] << ", all the way " << c.to_host()[0][0]
            << '\n';
  const bool right = on_host[0][n / 2] == expected[0][n / 2] && c.to_host()[0][0] == 2 * n;
  return done && multiplied && right ? 0 : 1;
}
