// SPDX-License-Identifier: BSL-1.0
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../generators.hpp"
#include "../graphs.hpp"
#include "sparse_calls.hpp"
#include "studies.hpp"

namespace studies {

namespace {

using graph = apsp_perf::csr_arrays<std::int32_t>;

constexpr std::size_t degree = 4;
constexpr std::int32_t largest_weight = 100;

struct study {
  const settings& s;
  report& out;
  bool has_device;

  // One source at a time, many at once, and the cores of the host.
  void add(const line& l, const graph& g) const {
    sparse_calls calls(s, out, l, g);
    calls.keep_graph("dijkstra");
    calls.add_boost();
    calls.add("dijkstra seq", apsp::seq, by_dijkstra);
    calls.add("dijkstra omp", apsp::omp, by_dijkstra);
    calls.add("bellman_ford omp", apsp::omp, by_bellman_ford);
    if (!has_device) return;
    calls.add("bellman_ford cuda_naive (one at a time)", apsp::cuda_naive.required(),
              by_bellman_ford);
    calls.add("bellman_ford cuda_tiled (many at once)", apsp::cuda_tiled.required(),
              by_bellman_ford);
  }

  void add_vertices() const {
    const std::size_t most = s.quick ? 2048 : 262144;
    for (std::size_t n = 1024; n <= most; n *= 2) {
      add({.part = "vertices", .x = std::to_string(n), .graph = "fixed degree 4"},
          apsp_perf::fixed_degree_graph<std::int32_t>(n, degree, largest_weight, s.seed));
    }
  }

  void add_arcs() const {
    const std::size_t n = s.quick ? 512 : 4096;
    for (std::size_t arcs_per_vertex = 1; arcs_per_vertex <= n / 4; arcs_per_vertex *= 4) {
      add({.part = "arcs", .x = std::to_string(n * arcs_per_vertex), .graph = "fixed degree"},
          apsp_perf::fixed_degree_graph<std::int32_t>(n, arcs_per_vertex, largest_weight, s.seed));
    }
  }

  void add_weights() const {
    const std::size_t n = s.quick ? 512 : 4096;
    for (std::int32_t largest = 1; largest <= 1000000; largest *= 10) {
      add({.part = "weights", .x = std::to_string(largest), .graph = "fixed degree 4"},
          apsp_perf::fixed_degree_graph<std::int32_t>(n, degree, largest, s.seed));
    }
  }

  void add_topologies() const {
    const std::size_t n = s.quick ? 512 : 4677;
    for (const std::string shape : {"random", "rmat", "ring", "complete"}) {
      add({.part = "topologies", .x = shape, .graph = shape},
          named_graphs::make<std::int32_t>(shape, n, s.seed));
    }
  }

  // The additional time with predecessors.
  void add_paths() const {
    const std::size_t most = s.quick ? 1024 : 16384;
    for (std::size_t n = 1024; n <= most; n *= 4) {
      const auto g = apsp_perf::fixed_degree_graph<std::int32_t>(n, degree, largest_weight, s.seed);
      sparse_calls calls(s, out,
                         {.part = "paths", .x = std::to_string(n), .graph = "fixed degree 4"}, g);
      for (const bool recorded : {false, true}) {
        const std::string suffix = recorded ? " with paths" : "";
        calls.add("bellman_ford omp" + suffix, apsp::omp, by_bellman_ford, recorded);
        if (!has_device) continue;
        calls.add("bellman_ford cuda_naive" + suffix, apsp::cuda_naive.required(), by_bellman_ford,
                  recorded);
        calls.add("bellman_ford cuda_tiled" + suffix, apsp::cuda_tiled.required(), by_bellman_ford,
                  recorded);
      }
    }
  }
};

}  // namespace

void study_bellman_ford(const settings& s, report& out, bool has_device) {
  const study whole{s, out, has_device};
  whole.add_vertices();
  whole.add_arcs();
  whole.add_weights();
  whole.add_topologies();
  whole.add_paths();
}

}  // namespace studies
