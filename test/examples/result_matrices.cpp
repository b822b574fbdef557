// SPDX-License-Identifier: BSL-1.0
// Results in matrices of other libraries: Eigen, Boost.MultiArray, mdspan, and vectors of vectors.
#include <Eigen/Core>
#include <apsp/apsp.hpp>
#include <boost/multi_array.hpp>
#include <cstddef>
#include <iostream>
#include <vector>
#if __has_include(<cuda/std/mdspan>)
#include <cuda/std/mdspan>
#endif

int main() {
  const std::vector<int> from{0, 1, 2, 3, 0};
  const std::vector<int> to{1, 2, 3, 0, 2};
  const std::vector<float> weights{4, 1, 5, 2, 6};
  const apsp::edge_list_view g(4, from, to, weights);

  Eigen::MatrixXf of_eigen(4, 4);  // contiguous columns are relaxed in place, like rows
  boost::multi_array<float, 2> of_boost(boost::extents[4][4]);
  std::vector<std::vector<float>> rows(4, std::vector<float>(4));
  bool done = static_cast<bool>(apsp::floyd_warshall(apsp::omp, g, of_eigen)) &&
              apsp::floyd_warshall(apsp::omp, g, of_boost) &&
              apsp::floyd_warshall(apsp::omp, g, rows);

#if __has_include(<cuda/std/mdspan>)
  std::vector<float> memory(16);
  const cuda::std::mdspan<float, cuda::std::dextents<std::size_t, 2>> span(memory.data(), 4, 4);
  done = done && apsp::floyd_warshall(apsp::omp, g, span) && memory[3 * 4 + 2] == 7;
#endif

  std::cout << of_eigen << '\n';
  for (std::size_t u = 0; u < 4; ++u) {
    for (std::size_t v = 0; v < 4; ++v) {
      const float d = of_eigen(static_cast<Eigen::Index>(u), static_cast<Eigen::Index>(v));
      done = done && of_boost[u][v] == d && rows[u][v] == d;
    }
  }
  return done && of_eigen(3, 2) == 7 ? 0 : 1;
}
