// SPDX-License-Identifier: BSL-1.0
#include <apsp/floyd_warshall.hpp>
#include <apsp/repeated_squaring.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "../generators.hpp"
#include "dense_calls.hpp"
#include "studies.hpp"

namespace studies {

namespace {
constexpr double arc_probability = 0.1;
constexpr std::int32_t largest_weight = 100;
}  // namespace

void study_repeated_squaring(const settings& s, report& out, bool has_device) {
  const auto square = [](const auto& policy, const auto& g, auto& distances) {
    return apsp::repeated_squaring(policy, g, distances);
  };
  const auto pivots = [](const auto& policy, const auto& g, auto& distances) {
    return apsp::floyd_warshall(policy, g, distances);
  };
  dense_calls calls(s, out);
  const std::size_t most = s.quick ? 512 : 16384;
  std::vector<std::size_t> sizes;
  for (std::size_t n = 32; n <= most; n *= 2) sizes.push_back(n);
  for (const std::size_t n : s.sizes_or(sizes)) {
    const auto g = apsp_perf::gnp_graph<float>(n, arc_probability, largest_weight, s.seed);
    calls.begin({.part = "squaring", .x = std::to_string(n), .graph = "gnp 0.1"}, g);
    calls.keep_graph("floyd_warshall");
    calls.add_policy("repeated_squaring seq", "seq", square);
    calls.add_policy("repeated_squaring omp", "omp", square);
    calls.add("Boost.Graph floyd_warshall", by_boost);
    calls.add_policy("floyd_warshall omp", "omp", pivots);
    if (!has_device) continue;
    calls.add_policy("repeated_squaring cuda_naive", "cuda_naive", square);
    calls.add_policy("repeated_squaring cuda_tiled", "cuda_tiled", square);
    calls.add_policy("floyd_warshall cuda_tiled", "cuda_tiled", pivots);
  }
}

}  // namespace studies
