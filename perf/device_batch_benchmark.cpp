// SPDX-License-Identifier: BSL-1.0
// Many small graphs: one call of floyd_warshall for all of them, next to a loop of single calls, in
// one run and checked: results of the batch are compared with Dijkstra's algorithm, written here,
// and with the single calls. Needs the standard library and apsp alone, like device_benchmark.
#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "device_program.hpp"
#include "generators.hpp"
#include "timing.hpp"

namespace {

constexpr const char* usage = R"(usage: device_batch_benchmark [options]
  --sizes 16,32,64,128,256    vertices of every graph of a batch
  --types f32,f64,i32,i64     weight types (f32,i32)
  --policies a,b              some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,omp)
  --graphs k                  in a batch of up to 128 vertices each; a tenth of it beyond (10000)
  --singles k                 graphs that the loop of single calls is measured on, then scaled (500)
  --dense                     matrices instead of sparse rows with 4 arcs to a vertex
  --repeat k                  calls after the one that warms up; the median counts (5)
  --device d --seed s
  --gpu NAME                  for the file
  --csv FILE
)";

struct settings {
  std::vector<std::string> sizes{"16", "32", "64", "128", "256"};
  std::vector<std::string> types{"f32", "i32"};
  std::vector<std::string> policies{"cuda_tiled", "omp"};
  std::size_t graphs = 10000;
  std::size_t singles = 500;
  int repeat = 5;
  bool dense = false;
  int device = -1;
  std::uint64_t seed = 1;
  std::string gpu;
  std::string csv;
};

settings parse(int argc, char** argv) {
  settings s;
  command_line::read(argc, argv,
                     {{"--sizes", s.sizes},
                      {"--types", s.types},
                      {"--policies", s.policies},
                      {"--graphs", s.graphs, 1},
                      {"--singles", s.singles, 1},
                      {"--dense", s.dense},
                      {"--repeat", s.repeat, 1},
                      {"--device", s.device},
                      {"--seed", s.seed},
                      {"--gpu", s.gpu},
                      {"--csv", s.csv}});
  return s;
}

constexpr std::int32_t largest_weight = 999;
constexpr std::size_t arcs_per_vertex = 4;

template <class W>
apsp::matrix<W> to_matrix(const apsp_perf::csr_arrays<W>& g) {
  apsp::matrix<W> entries(g.num_vertices(), g.num_vertices(), apsp::unreachable<W>);
  for (std::size_t u = 0; u < g.num_vertices(); ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      W& entry = entries[u][static_cast<std::size_t>(g.targets[k])];
      entry = std::min(entry, g.weights[k]);
    }
  }
  return entries;
}

// Distances from vertex @p source by Dijkstra's algorithm on an array: the graphs are small.
template <class W>
std::vector<W> dijkstra(const apsp::matrix<W>& weights, std::size_t source) {
  std::vector<W> distance(weights.rows(), apsp::unreachable<W>);
  std::vector<char> settled(weights.rows());
  distance[source] = W{};
  for (;;) {
    std::size_t u = weights.rows();
    for (std::size_t v = 0; v < weights.rows(); ++v) {
      const bool nearer = u == weights.rows() || distance[v] < distance[u];
      if (!settled[v] && distance[v] != apsp::unreachable<W> && nearer) u = v;
    }
    if (u == weights.rows()) return distance;
    settled[u] = 1;
    for (std::size_t v = 0; v < weights.rows(); ++v) {
      if (weights[u][v] == apsp::unreachable<W>) continue;
      distance[v] = std::min(distance[v], static_cast<W>(distance[u] + weights[u][v]));
    }
  }
}

// Weights are integers of at most three digits, so all types hold every distance exactly.
template <class W>
void check(const apsp_perf::csr_arrays<W>& g, const apsp::matrix<W>& distances) {
  const auto weights = to_matrix(g);
  for (std::size_t s = 0; s < g.num_vertices(); ++s) {
    const auto expected = dijkstra(weights, s);
    if (!std::equal(expected.begin(), expected.end(), distances[s])) {
      throw std::runtime_error("wrong distances from vertex " + std::to_string(s));
    }
  }
}

class benchmark {
 public:
  explicit benchmark(const settings& s) : settings_(s), csv_(s.csv) {
    csv_.line(
        "gpu,n,graphs,kind,type,policy,batch_seconds,loop_seconds,loop_measured_on,"
        "relaxations_per_second,times_faster");
    std::printf("%5s %7s %6s %5s %-11s %12s %12s %10s %8s\n", "n", "graphs", "kind", "type",
                "policy", "batch ms", "loop ms", "G relax/s", "x");
  }

  template <class W>
  void run_type(const std::string& type, std::size_t n) {
    const std::size_t count =
        n <= 128 ? settings_.graphs : std::max<std::size_t>(1, settings_.graphs / 10);
    std::vector<apsp_perf::csr_arrays<W>> arrays;
    for (std::size_t i = 0; i < count; ++i) {
      arrays.push_back(
          apsp_perf::fixed_degree_graph<W>(n, arcs_per_vertex, largest_weight, settings_.seed + i));
    }
    if (settings_.dense) {
      std::vector<apsp::matrix<W>> graphs;
      for (const auto& g : arrays) graphs.push_back(to_matrix(g));
      run_graphs<W>("dense", type, n, arrays, graphs);
    } else {
      std::vector<decltype(arrays.front().view())> graphs;
      for (const auto& g : arrays) graphs.push_back(g.view());
      run_graphs<W>("sparse", type, n, arrays, graphs);
    }
  }

 private:
  template <class W, class Graphs>
  void run_graphs(const std::string& kind, const std::string& type, std::size_t n,
                  const std::vector<apsp_perf::csr_arrays<W>>& arrays, const Graphs& graphs) {
    std::vector<apsp::matrix<W>> distances(graphs.size(), apsp::matrix<W>(n));
    apsp::matrix<W> single(n);
    const std::size_t singles = std::min(settings_.singles, graphs.size());
    for (const auto& name : settings_.policies) {
      device_program::with_policy(name, settings_.device, [&](const auto& policy) {
        const auto solve_together = [&] {
          // Nothing of an earlier result may be left to be taken for this one's.
          for (auto& d : distances) std::fill(d.begin(), d.end(), static_cast<W>(-1));
          const auto [done, seconds] =
              timing::timed([&] { return apsp::floyd_warshall(policy, graphs, distances); });
          for (const auto& d : done) device_program::require_solved(d, name);
          return seconds;
        };
        const double batch = timing::of_calls(settings_.repeat, solve_together).median;
        const auto solve_single = [&](std::size_t i) {
          device_program::require_solved(apsp::floyd_warshall(policy, graphs[i], single), name);
        };
        // The first call is not counted: it warms up.
        solve_single(0);
        double loop = 0;
        for (std::size_t i = 0; i < singles; ++i) {
          loop += timing::seconds_of([&] { solve_single(i); });
          if (!(single == distances[i])) throw std::runtime_error("batch and single call differ");
        }
        for (std::size_t i = 0; i < graphs.size();
             i += std::max<std::size_t>(1, graphs.size() / 16)) {
          check(arrays[i], distances[i]);
        }
        loop *= static_cast<double>(graphs.size()) / static_cast<double>(singles);
        print(n, graphs.size(), kind, type, name, batch, loop, singles);
      });
    }
  }

  void print(std::size_t n, std::size_t graphs, const std::string& kind, const std::string& type,
             const std::string& policy, double batch, double loop, std::size_t singles) {
    const double size = static_cast<double>(n);
    const double rate = size * size * size * static_cast<double>(graphs) / batch;
    std::printf("%5zu %7zu %6s %5s %-11s %12.3f %12.3f %10.2f %8.1f\n", n, graphs, kind.c_str(),
                type.c_str(), policy.c_str(), batch * 1e3, loop * 1e3, rate / 1e9, loop / batch);
    std::fflush(stdout);
    csv_.line(csv_file::quoted(settings_.gpu), n, graphs, kind, type, policy, batch, loop, singles,
              rate, loop / batch);
  }

  settings settings_;
  csv_file csv_;
};

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("device_batch_benchmark", usage, argc, argv, [&] {
    const settings s = parse(argc, argv);
    benchmark bench(s);
    device_program::for_each_type_and_size(
        s.types, s.sizes,
        [&]<class W>(std::type_identity<W>, const std::string& type, std::size_t n) {
          bench.run_type<W>(type, n);
        });
    return 0;
  });
}
