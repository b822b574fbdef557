// SPDX-License-Identifier: BSL-1.0
// Whole calls of transitive_closure on one device, timed next to floyd_warshall in float on the same
// graph, as CSV. Rows of every closure are compared with a breadth-first search, written here. Needs the
// standard library and apsp alone, since a machine with a device has often little else.
#include <apsp/bit_matrix.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <apsp/transitive_closure.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "device_program.hpp"
#include "generators.hpp"
#include "timing.hpp"

namespace {

constexpr const char* usage = R"(usage: device_closure_benchmark [options]
  --sizes 8192,16384,32768    numbers of vertices
  --graphs a,b                some of sparse (4n arcs), dense (one pair in 32 is joined) (both)
  --policies a,b              some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,cuda_naive)
  --repeat k                  calls after the one that warms up; the median counts (3)
  --check k                   rows compared with a breadth-first search (8)
  --no-distances              without floyd_warshall
  --device d --seed s
)";

struct settings {
  std::vector<std::string> sizes{"8192", "16384", "32768"};
  std::vector<std::string> graphs{"sparse", "dense"};
  std::vector<std::string> policies{"cuda_tiled", "cuda_naive"};
  int repeat = 3;
  std::size_t check = 8;
  bool distances = true;
  int device = -1;
  std::uint64_t seed = 1;
};

settings parse(int argc, char** argv) {
  settings s;
  bool no_distances = false;
  command_line::read(argc, argv,
                     {{"--sizes", s.sizes},
                      {"--graphs", s.graphs},
                      {"--policies", s.policies},
                      {"--repeat", s.repeat, 1},
                      {"--check", s.check},
                      {"--no-distances", no_distances},
                      {"--device", s.device},
                      {"--seed", s.seed}});
  s.distances = !no_distances;
  return s;
}

using graph = apsp_perf::csr_arrays<float>;

graph make_graph(const std::string& name, std::size_t n, std::uint64_t seed) {
  constexpr std::int32_t largest_weight = 999;
  constexpr double dense = 1.0 / 32;
  if (name == "sparse") return apsp_perf::fixed_degree_graph<float>(n, 4, largest_weight, seed);
  if (name == "dense") return apsp_perf::gnp_graph<float>(n, dense, largest_weight, seed);
  throw std::runtime_error("graph " + name + " is unknown");
}

std::vector<char> search(const graph& g, std::size_t source) {
  std::vector<char> reached(g.num_vertices(), 0);
  std::vector<std::size_t> queue{source};
  reached[source] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto end = static_cast<std::size_t>(g.offsets[queue[i] + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[queue[i]]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (reached[v] != 0) continue;
      reached[v] = 1;
      queue.push_back(v);
    }
  }
  return reached;
}

void check_rows(const graph& g, const apsp::bit_matrix& closure, std::size_t count) {
  const std::size_t n = g.num_vertices();
  for (const std::size_t s : device_program::rows_to_check(n, count)) {
    const std::vector<char> expected = search(g, s);
    for (std::size_t v = 0; v < n; ++v) {
      if (closure(s, v) == (expected[v] != 0)) continue;
      throw std::runtime_error("wrong entry (" + std::to_string(s) + ", " + std::to_string(v) +
                               ")");
    }
  }
}

void run(const settings& s, const std::string& graph_name, std::size_t n) {
  const graph g = make_graph(graph_name, n, s.seed);
  for (const auto& name : s.policies) {
    device_program::with_policy(name, s.device, [&](const auto& policy) {
      const auto median_seconds = [&](auto call) {
        const auto checked = [&] {
          const auto [done, seconds] = timing::timed(call);
          if (!done) throw std::runtime_error("it failed");
          device_program::require_policy(done.executed_on(), name);
          return seconds;
        };
        return timing::of_calls(s.repeat, checked).median;
      };
      apsp::bit_matrix closure(n);
      const double closing =
          median_seconds([&] { return apsp::transitive_closure(policy, g.view(), closure); });
      check_rows(g, closure, s.check);
      double solving = 0;
      if (s.distances) {
        apsp::matrix<float> distances(n);
        solving = median_seconds([&] { return apsp::floyd_warshall(policy, g.view(), distances); });
      }
      std::printf("%zu,%s,%zu,%s,%.6f,%.6f,%.2f\n", n, graph_name.c_str(), g.num_edges(),
                  name.c_str(), closing, solving, solving / closing);
      std::fflush(stdout);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("device_closure_benchmark", usage, argc, argv, [&] {
    const settings s = parse(argc, argv);
    std::printf("n,graph,arcs,policy,closure_seconds,floyd_warshall_f32_seconds,ratio\n");
    for (const auto& graph_name : s.graphs) {
      for (const auto& size : s.sizes) {
        run(s, graph_name, command_line::to_number<std::size_t>(size));
      }
    }
    return 0;
  });
}
