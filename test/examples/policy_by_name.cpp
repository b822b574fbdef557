// SPDX-License-Identifier: BSL-1.0
// The policy is an argument of the program: policy_by_name cuda_tiled
#include <apsp/apsp.hpp>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "omp";
  const std::vector<int> from{0, 1, 2};
  const std::vector<int> to{1, 2, 0};
  const std::vector<float> km{273, 304, 572};
  const apsp::edge_list_view links(3, from, to, km);
  apsp::matrix<float> distances(3);

  const apsp::result done = apsp::with_policy(
      name, [&](const auto& policy) { return apsp::floyd_warshall(policy, links, distances); });
  std::cout << "ran on " << to_string(done.executed_on()) << '\n';

  try {
    apsp::with_policy("gpu", [](const auto&) {});
    return 1;
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << '\n';
  }
  return done && distances[0][2] == 577 ? 0 : 1;
}
