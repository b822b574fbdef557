// SPDX-License-Identifier: BSL-1.0
// A program that uses the library: compiled by a C++ compiler only, with every policy.
#include <apsp/apsp.hpp>
#include <cstdio>
#include <vector>

template <class Policy>
bool solve(const Policy& policy) {
  const std::vector<int> offsets{0, 2, 3, 4, 4};
  const std::vector<int> targets{1, 2, 3, 3};
  const std::vector<float> weights{1, 5, 7, 1};

  apsp::matrix<float> distances(4);
  apsp::matrix<int> predecessors(4);
  const auto done = apsp::floyd_warshall(policy, apsp::csr_view(offsets, targets, weights),
                                         distances, predecessors);
  std::printf("%s: %g %s\n", to_string(done.executed_on()).data(),
              static_cast<double>(distances[0][3]), done.fallback_reason().c_str());
  return done && distances[0][3] == 6 && apsp::path(predecessors, 0, 3).size() == 3;
}

int main() {
  const bool right =
      solve(apsp::seq) && solve(apsp::omp) && solve(apsp::cuda_naive) && solve(apsp::cuda_tiled);
  return right ? 0 : 1;
}
