// SPDX-License-Identifier: BSL-1.0
// Whole calls of floyd_warshall on one device, timed and checked: rows of every result are compared
// with Dijkstra's algorithm, written here, so that a wrong result cannot pass as a fast one. Needs
// the standard library and apsp alone, since a machine with a device has often little else.
#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "argument_values.hpp"
#include "generators.hpp"

using command_line::split;
using command_line::to_number;

namespace {

constexpr const char* usage = R"(usage: device_benchmark [options]
  --sizes 4096,8192,16384     numbers of vertices
  --types f32,f64,i32,i64     weight types (f32,i32)
  --policies a,b              some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,cuda_naive)
  --outputs a,b               some of distances, predecessors (both): without and with them
  --repeat k                  calls after the one that warms up; the median counts (3)
  --dense                     all n(n-1) arcs instead of 8n
  --check k                   rows compared with Dijkstra's algorithm (4)
  --device d --seed s
  --gpu NAME --sm 132 --ghz 1.98   for the column /clk/SM and the file
  --csv FILE
)";

struct settings {
  std::vector<std::string> sizes{"4096", "8192", "16384"};
  std::vector<std::string> types{"f32", "i32"};
  std::vector<std::string> policies{"cuda_tiled", "cuda_naive"};
  std::vector<std::string> outputs{"distances", "predecessors"};
  int repeat = 3;
  bool dense = false;
  std::size_t check = 4;
  int device = -1;
  std::uint64_t seed = 1;
  std::string gpu;
  double sm = 0;
  double ghz = 0;
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
    else if (option == "--outputs")
      s.outputs = split(value);
    else if (option == "--repeat")
      s.repeat = std::max(1, to_number<int>(value));
    else if (option == "--check")
      s.check = to_number<std::size_t>(value);
    else if (option == "--device")
      s.device = to_number<int>(value);
    else if (option == "--seed")
      s.seed = to_number<std::uint64_t>(value);
    else if (option == "--gpu")
      s.gpu = value;
    else if (option == "--sm")
      s.sm = to_number<double>(value);
    else if (option == "--ghz")
      s.ghz = to_number<double>(value);
    else if (option == "--csv")
      s.csv = value;
    else
      throw std::runtime_error(option + " is unknown");
  }
  return s;
}

template <class F>
auto with_policy(const std::string& name, int device, F f) {
  const auto required = [&](auto policy) {
    return device < 0 ? policy.required() : policy.required().device(device);
  };
  if (name == "cuda_tiled") return f(required(apsp::cuda_tiled));
  if (name == "cuda_naive") return f(required(apsp::cuda_naive));
  if (name == "omp") return f(apsp::omp);
  if (name == "seq") return f(apsp::seq);
  throw std::runtime_error("policy " + name + " is unknown");
}

// Weights are integers of at most three digits, so float and double hold every distance exactly and
// all types are compared for equality.
constexpr std::int32_t largest_weight = 999;

template <class W>
std::vector<std::int64_t> dijkstra(const apsp_perf::csr_arrays<W>& g, std::size_t source) {
  using entry = std::pair<std::int64_t, std::size_t>;
  std::vector<std::int64_t> distance(g.num_vertices(), -1);
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [length, u] = queue.top();
    queue.pop();
    if (distance[u] >= 0) continue;
    distance[u] = length;
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (distance[v] < 0) queue.emplace(length + static_cast<std::int64_t>(g.weights[k]), v);
    }
  }
  return distance;
}

// The rows to check and what they must hold.
using expected_rows = std::vector<std::pair<std::size_t, std::vector<std::int64_t>>>;

template <class W>
expected_rows expect(const apsp_perf::csr_arrays<W>& g, std::size_t count) {
  expected_rows expected;
  const std::size_t n = g.num_vertices();
  const std::size_t rows = std::min(count, n);
  for (std::size_t i = 0; i < rows; ++i) {
    // Spread over the matrix, the last row among them.
    const std::size_t s = n - 1 - i * n / rows;
    expected.emplace_back(s, dijkstra(g, s));
  }
  return expected;
}

template <class W>
void check_distances(const expected_rows& expected, const apsp::matrix<W>& distances) {
  for (const auto& [s, row] : expected) {
    for (std::size_t v = 0; v < row.size(); ++v) {
      const W want = row[v] < 0 ? apsp::unreachable<W> : static_cast<W>(row[v]);
      if (distances(s, v) == want) continue;
      throw std::runtime_error("wrong distance from " + std::to_string(s) + " to " +
                               std::to_string(v) + ": " + std::to_string(distances(s, v)) +
                               " instead of " + std::to_string(want));
    }
  }
}

// A predecessor is right if an arc leads from it whose weight is the rest of the distance.
template <class W>
void check_predecessors(const apsp_perf::csr_arrays<W>& g, const expected_rows& expected,
                        const apsp::matrix<std::int32_t>& predecessors) {
  for (const auto& [s, row] : expected) {
    std::vector<char> right(row.size());
    for (std::size_t u = 0; u < row.size(); ++u) {
      const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
      for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
        const auto v = static_cast<std::size_t>(g.targets[k]);
        const bool tight =
            row[u] >= 0 && row[u] + static_cast<std::int64_t>(g.weights[k]) == row[v];
        if (tight && std::cmp_equal(predecessors(s, v), u)) right[v] = 1;
      }
    }
    for (std::size_t v = 0; v < row.size(); ++v) {
      const bool has_none = predecessors(s, v) == apsp::no_predecessor<std::int32_t>;
      if (v == s || row[v] < 0 ? has_none : right[v] != 0) continue;
      throw std::runtime_error("wrong predecessor of " + std::to_string(v) + " from " +
                               std::to_string(s) + ": " + std::to_string(predecessors(s, v)));
    }
  }
}

class benchmark {
 public:
  explicit benchmark(const settings& s) : settings_(s) {
    if (!s.csv.empty()) {
      csv_.open(s.csv);
      if (!csv_) throw std::runtime_error(s.csv + " cannot be written");
      csv_ << "gpu,n,arcs,type,policy,output,seconds,fastest_seconds,relaxations_per_second,"
              "per_clk_per_sm\n";
    }
    std::printf("%8s %5s %-11s %-13s %10s %10s %10s %8s\n", "n", "type", "policy", "output",
                "seconds", "fastest", "T relax/s", "/clk/SM");
  }

  template <class W>
  void run_type(const std::string& type, std::size_t n) {
    const auto g = apsp_perf::csr_arrays<W>(
        settings_.dense ? apsp_perf::gnp_graph<W>(n, 1.0, largest_weight, settings_.seed)
                        : apsp_perf::fixed_degree_graph<W>(n, 8, largest_weight, settings_.seed));
    const expected_rows expected = expect(g, settings_.check);
    apsp::matrix<W> distances(n);
    apsp::matrix<std::int32_t> predecessors;
    for (const auto& output : settings_.outputs) {
      if (output != "distances" && output != "predecessors") {
        throw std::runtime_error("output " + output + " is unknown");
      }
      const bool with_predecessors = output == "predecessors";
      if (with_predecessors) predecessors = apsp::matrix<std::int32_t>(n);
      for (const auto& policy : settings_.policies) {
        std::vector<double> seconds;
        for (int run = 0; run <= settings_.repeat; ++run) {
          // Nothing of an earlier result may be left to be taken for this one's.
          std::fill(distances.begin(), distances.end(), static_cast<W>(-1));
          std::fill(predecessors.begin(), predecessors.end(), -2);
          const double elapsed =
              time_call(policy, g, distances, with_predecessors ? &predecessors : nullptr);
          if (run > 0) seconds.push_back(elapsed);
        }
        check_distances(expected, distances);
        if (with_predecessors) check_predecessors(g, expected, predecessors);
        print(n, g.num_edges(), type, policy, output, seconds);
      }
    }
  }

 private:
  template <class W>
  double time_call(const std::string& name, const apsp_perf::csr_arrays<W>& g,
                   apsp::matrix<W>& distances, apsp::matrix<std::int32_t>* predecessors) {
    return with_policy(name, settings_.device, [&](const auto& policy) {
      const auto start = std::chrono::steady_clock::now();
      const auto done = predecessors == nullptr
                            ? apsp::floyd_warshall(policy, g.view(), distances)
                            : apsp::floyd_warshall(policy, g.view(), distances, *predecessors);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      if (!done) throw std::runtime_error("a negative cycle in a graph that has none");
      if (apsp::to_string(done.executed_on()) != name) throw std::runtime_error("it fell back");
      return elapsed.count();
    });
  }

  void print(std::size_t n, std::size_t arcs, const std::string& type, const std::string& policy,
             const std::string& output, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const double size = static_cast<double>(n);
    const double rate = size * size * size / median;
    const bool known_clock = settings_.sm > 0 && settings_.ghz > 0;
    const double per_clock = known_clock ? rate / (settings_.sm * settings_.ghz * 1e9) : 0;
    std::printf("%8zu %5s %-11s %-13s %10.4f %10.4f %10.4f %8.2f\n", n, type.c_str(),
                policy.c_str(), output.c_str(), median, seconds.front(), rate / 1e12, per_clock);
    std::fflush(stdout);
    if (csv_.is_open()) {
      csv_ << '"' << settings_.gpu << "\"," << n << ',' << arcs << ',' << type << ',' << policy
           << ',' << output << ',' << median << ',' << seconds.front() << ',' << rate << ','
           << per_clock << std::endl;
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
    std::cerr << "device_benchmark: " << e.what() << "\n";
    return 2;
  }
}
