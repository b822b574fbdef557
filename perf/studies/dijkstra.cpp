// SPDX-License-Identifier: BSL-1.0
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../generators.hpp"
#include "sparse_calls.hpp"
#include "studies.hpp"
#include "time_line.hpp"

namespace studies {

namespace {
constexpr double arc_probability = 0.1;
constexpr std::int32_t largest_weight = 100;
constexpr std::size_t time_line_vertices = 512;

apsp_perf::csr_arrays<std::int32_t> graph_of(std::size_t n, const settings& s) {
  return apsp_perf::gnp_graph<std::int32_t>(n, arc_probability, largest_weight, s.seed);
}
}  // namespace

void study_dijkstra(const settings& s, report& out, bool has_device) {
  const std::size_t most = s.quick ? 512 : 16384;
  cubic_growth of_naive;
  cubic_growth of_tiled;
  for (std::size_t n = 256; n <= most; n *= 2) {
    const auto g = graph_of(n, s);
    sparse_calls calls(s, out, {.part = "vertices", .x = std::to_string(n), .graph = "gnp 0.1"}, g);
    calls.keep_graph("dijkstra");
    calls.add("dijkstra seq", apsp::seq, by_dijkstra);
    calls.add("dijkstra omp", apsp::omp, by_dijkstra);
    calls.add_boost();
    if (!has_device) continue;
    calls.add_at_once("dijkstra cuda_naive (a thread per source)", apsp::cuda_naive.required(),
                      by_dijkstra, of_naive);
    calls.add_at_once("dijkstra cuda_tiled (a block per source)", apsp::cuda_tiled.required(),
                      by_dijkstra, of_tiled);
  }
  if (has_device) add_time_line(graph_of(time_line_vertices, s), out);
}

}  // namespace studies
