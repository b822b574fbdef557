// SPDX-License-Identifier: BSL-1.0
// Many small graphs: one call of floyd_warshall for all of them, next to a loop of single calls, in
// one run and checked: results of the batch are compared with Dijkstra's algorithm, written here,
// and with the single calls. Needs the standard library and apsp alone, like device_benchmark.
#include <algorithm>
#include <apsp/csr.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "argument_values.hpp"
#include "generators.hpp"

using command_line::split;
using command_line::to_number;

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
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--dense") {
      s.dense = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(option + " is unknown or lacks a value");
    const std::string value = argv[++i];
    if (option == "--sizes")
      s.sizes = split(value);
    else if (option == "--types")
      s.types = split(value);
    else if (option == "--policies")
      s.policies = split(value);
    else if (option == "--graphs")
      s.graphs = std::max<std::size_t>(1, to_number<std::size_t>(value));
    else if (option == "--singles")
      s.singles = std::max<std::size_t>(1, to_number<std::size_t>(value));
    else if (option == "--repeat")
      s.repeat = std::max(1, to_number<int>(value));
    else if (option == "--device")
      s.device = to_number<int>(value);
    else if (option == "--seed")
      s.seed = to_number<std::uint64_t>(value);
    else if (option == "--gpu")
      s.gpu = value;
    else if (option == "--csv")
      s.csv = value;
    else
      throw std::runtime_error(option + " is unknown");
  }
  return s;
}

template <class F>
void with_policy(const std::string& name, int device, F f) {
  const auto required = [&](auto policy) {
    return device < 0 ? policy.required() : policy.required().device(device);
  };
  if (name == "cuda_tiled")
    f(required(apsp::cuda_tiled));
  else if (name == "cuda_naive")
    f(required(apsp::cuda_naive));
  else if (name == "omp")
    f(apsp::omp);
  else if (name == "seq")
    f(apsp::seq);
  else
    throw std::runtime_error("policy " + name + " is unknown");
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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class benchmark {
 public:
  explicit benchmark(const settings& s) : settings_(s) {
    if (!s.csv.empty()) {
      csv_.open(s.csv);
      if (!csv_) throw std::runtime_error(s.csv + " cannot be written");
      csv_ << "gpu,n,graphs,kind,type,policy,batch_seconds,loop_seconds,loop_measured_on,"
              "relaxations_per_second,times_faster\n";
    }
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
      with_policy(name, settings_.device, [&](const auto& policy) {
        std::vector<double> batch;
        for (int run = 0; run <= settings_.repeat; ++run) {
          // Nothing of an earlier result may be left to be taken for this one's.
          for (auto& d : distances) std::fill(d.begin(), d.end(), static_cast<W>(-1));
          const auto start = std::chrono::steady_clock::now();
          const auto done = apsp::floyd_warshall(policy, graphs, distances);
          const double elapsed = seconds_since(start);
          if (run > 0) batch.push_back(elapsed);
          for (const auto& d : done) require(d, name);
        }
        double loop = 0;
        for (std::size_t i = 0; i < singles; ++i) {
          // The first call is not counted: it warms up.
          if (i == 0) require(apsp::floyd_warshall(policy, graphs[i], single), name);
          const auto start = std::chrono::steady_clock::now();
          require(apsp::floyd_warshall(policy, graphs[i], single), name);
          loop += seconds_since(start);
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

  static void require(const apsp::result& done, const std::string& policy) {
    if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
    if (apsp::to_string(done.executed_on()) != policy) throw std::runtime_error("it fell back");
  }

  void print(std::size_t n, std::size_t graphs, const std::string& kind, const std::string& type,
             const std::string& policy, std::vector<double> batch, double loop,
             std::size_t singles) {
    std::sort(batch.begin(), batch.end());
    const double median = batch[batch.size() / 2];
    const double size = static_cast<double>(n);
    const double rate = size * size * size * static_cast<double>(graphs) / median;
    std::printf("%5zu %7zu %6s %5s %-11s %12.3f %12.3f %10.2f %8.1f\n", n, graphs, kind.c_str(),
                type.c_str(), policy.c_str(), median * 1e3, loop * 1e3, rate / 1e9, loop / median);
    std::fflush(stdout);
    if (csv_.is_open()) {
      csv_ << '"' << settings_.gpu << "\"," << n << ',' << graphs << ',' << kind << ',' << type
           << ',' << policy << ',' << median << ',' << loop << ',' << singles << ',' << rate << ','
           << loop / median << std::endl;
    }
  }

  settings settings_;
  std::ofstream csv_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    const settings s = parse(argc, argv);
    benchmark bench(s);
    for (const auto& type : s.types) {
      for (const auto& size : s.sizes) {
        const std::size_t n = to_number<std::size_t>(size);
        if (type == "f32")
          bench.run_type<float>(type, n);
        else if (type == "f64")
          bench.run_type<double>(type, n);
        else if (type == "i32")
          bench.run_type<std::int32_t>(type, n);
        else if (type == "i64")
          bench.run_type<std::int64_t>(type, n);
        else
          throw std::runtime_error("type " + type + " is unknown");
      }
    }
  } catch (const std::exception& e) {
    std::cerr << "device_batch_benchmark: " << e.what() << "\n";
    return 2;
  }
}
