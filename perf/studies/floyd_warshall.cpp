// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "dense_calls.hpp"
#include "studies.hpp"

namespace studies {

namespace {

constexpr std::size_t degree = 16;
constexpr std::int32_t largest_weight = 100;

// The textbook loops, which published experiments use as CPU time.
double three_loops(const apsp_perf::csr_arrays<float>& g, apsp::matrix<float>& d) {
  const std::size_t n = g.num_vertices();
  return timing::seconds_of([&] {
    std::fill(d.begin(), d.end(), apsp::unreachable<float>);
    apsp_perf::for_each_arc(
        g, [&](std::size_t u, std::size_t v, float w) { d[u][v] = std::min(d[u][v], w); });
    for (std::size_t u = 0; u < n; ++u) d[u][u] = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const float* const from_pivot = d[k];
      for (std::size_t i = 0; i < n; ++i) {
        float* const row = d[i];
        const float to_pivot = row[k];
        for (std::size_t j = 0; j < n; ++j) row[j] = std::min(row[j], to_pivot + from_pivot[j]);
      }
    }
  });
}

}  // namespace

void study_floyd_warshall(const settings& s, report& out, bool has_device) {
  const auto solve = [](const auto& policy, const auto& g, auto& distances) {
    return apsp::floyd_warshall(policy, g, distances);
  };
  std::vector<std::size_t> sizes{250, 500, 1000};
  if (!s.quick) sizes = {1000, 2000, 4000, 8000, 16000, 32000, 46000, 64000, 92000, 160000};
  dense_calls calls(s, out);
  for (const std::size_t n : s.sizes_or(sizes)) {
    const auto g = apsp_perf::fixed_degree_graph<float>(n, degree, largest_weight, s.seed);
    calls.begin({.part = "vertices", .x = std::to_string(n), .graph = "fixed degree 16"}, g);
    calls.keep_graph("floyd_warshall");
    calls.add("three loops, one thread", three_loops);
    calls.add("Boost.Graph floyd_warshall", by_boost);
    calls.add_policy("floyd_warshall seq", "seq", solve);
    calls.add_policy("floyd_warshall omp", "omp", solve);
    if (!has_device) continue;
    calls.add_policy("floyd_warshall cuda_naive", "cuda_naive", solve);
    calls.add_policy("floyd_warshall cuda_tiled", "cuda_tiled", solve);
  }
}

}  // namespace studies
