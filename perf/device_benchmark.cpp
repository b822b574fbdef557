// SPDX-License-Identifier: BSL-1.0
// Whole calls of floyd_warshall on one device, timed and checked: rows of every result are compared
// with Dijkstra's algorithm, written here, so that a wrong result cannot pass as a fast one. Needs
// the standard library and apsp alone, since a machine with a device has often little else.
#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "csv_file.hpp"
#include "device_limit/device_limit.hpp"
#include "device_program.hpp"
#include "generators.hpp"
#include "timing.hpp"

namespace {

constexpr const char* usage = R"(usage: device_benchmark [options]
  --sizes 4096,8192,16384     numbers of vertices
  --types f32,f64,i32,i64     weight types (f32,i32)
  --policies a,b              some of cuda_tiled, cuda_naive, seq, omp (cuda_tiled,cuda_naive)
  --outputs a,b               some of distances, predecessors (both): without and with them
  --repeat k                  calls after the one that warms up; the median counts (3)
  --dense                     all n(n-1) arcs instead of 8n
  --heaviest w                weights are integers from 1 to w, of which all types hold the sums (999)
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
  std::int32_t heaviest = 999;
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
  command_line::read(argc, argv,
                     {{"--sizes", s.sizes},
                      {"--types", s.types},
                      {"--policies", s.policies},
                      {"--outputs", s.outputs},
                      {"--repeat", s.repeat, 1},
                      {"--dense", s.dense},
                      {"--heaviest", s.heaviest, 1},
                      {"--check", s.check},
                      {"--device", s.device},
                      {"--seed", s.seed},
                      {"--gpu", s.gpu},
                      {"--sm", s.sm},
                      {"--ghz", s.ghz},
                      {"--csv", s.csv}});
  return s;
}

// All types are compared for equality: weights are integers, and so small that the sums on the way to a
// distance are exact in float.

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
  for (const std::size_t s : device_program::rows_to_check(g.num_vertices(), count)) {
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
  explicit benchmark(const settings& s) : settings_(s), csv_(s.csv) {
    if (std::any_of(s.policies.begin(), s.policies.end(),
                    [](const std::string& p) { return p.starts_with("cuda"); })) {
      limits_ = device_limit::measure();
    }
    for (const auto& limit : limits_) {
      std::printf("limit on registers, %-10s %-28s %8.2f T relax/s\n", limit.name,
                  limit.instructions, limit.relaxations_per_second / 1e12);
      csv_.comment(std::string("limit on registers, ") + limit.name + " (" + limit.instructions +
                   "): " + std::to_string(limit.relaxations_per_second / 1e12) + " T relax/s");
    }
    csv_.line(
        "gpu,n,arcs,heaviest,type,policy,output,seconds,fastest_seconds,relaxations_per_second,"
        "per_clk_per_sm,share_of_limit");
    std::printf("%8s %5s %-11s %-13s %10s %10s %10s %8s %8s\n", "n", "type", "policy", "output",
                "seconds", "fastest", "T relax/s", "/clk/SM", "of limit");
  }

  template <class W>
  void run_type(const std::string& type, std::size_t n) {
    const auto g = apsp_perf::csr_arrays<W>(
        settings_.dense
            ? apsp_perf::gnp_graph<W>(n, 1.0, settings_.heaviest, settings_.seed)
            : apsp_perf::fixed_degree_graph<W>(n, 8, settings_.heaviest, settings_.seed));
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
        const timing::call_seconds seconds = timing::of_calls(settings_.repeat, [&] {
          // Nothing of an earlier result may be left to be taken for this one's.
          std::fill(distances.begin(), distances.end(), static_cast<W>(-1));
          std::fill(predecessors.begin(), predecessors.end(), -2);
          return time_call(policy, g, distances, with_predecessors ? &predecessors : nullptr);
        });
        check_distances(expected, distances);
        if (with_predecessors) check_predecessors(g, expected, predecessors);
        const double limit =
            device_limit::of(limits_, {type, policy, n, with_predecessors, farthest_of(distances)});
        print(n, g.num_edges(), type, policy, output, seconds, limit);
      }
    }
  }

 private:
  template <class W>
  double time_call(const std::string& name, const apsp_perf::csr_arrays<W>& g,
                   apsp::matrix<W>& distances, apsp::matrix<std::int32_t>* predecessors) {
    return device_program::with_policy(name, settings_.device, [&](const auto& policy) {
      const auto [done, seconds] = timing::timed([&] {
        return predecessors == nullptr
                   ? apsp::floyd_warshall(policy, g.view(), distances)
                   : apsp::floyd_warshall(policy, g.view(), distances, *predecessors);
      });
      device_program::require_solved(done, name);
      return seconds;
    });
  }

  template <class W>
  static double farthest_of(const apsp::matrix<W>& distances) {
    W farthest{};
    for (const W& d : distances) {
      if (d != apsp::unreachable<W> && farthest < d) farthest = d;
    }
    return static_cast<double>(farthest);
  }

  /// @param limit  relaxations per second, or 0.
  void print(std::size_t n, std::size_t arcs, const std::string& type, const std::string& policy,
             const std::string& output, const timing::call_seconds& seconds, double limit) {
    const double size = static_cast<double>(n);
    const double rate = size * size * size / seconds.median;
    const bool known_clock = settings_.sm > 0 && settings_.ghz > 0;
    const double per_clock = known_clock ? rate / (settings_.sm * settings_.ghz * 1e9) : 0;
    const double share = limit > 0 ? rate / limit : 0;
    std::printf("%8zu %5s %-11s %-13s %10.4f %10.4f %10.4f %8.2f %8.2f\n", n, type.c_str(),
                policy.c_str(), output.c_str(), seconds.median, seconds.fastest, rate / 1e12,
                per_clock, share);
    std::fflush(stdout);
    csv_.line(csv_file::quoted(settings_.gpu), n, arcs, settings_.heaviest, type, policy, output,
              seconds.median, seconds.fastest, rate, per_clock, share);
  }

  settings settings_;
  csv_file csv_;
  std::vector<device_limit::limit> limits_;
};

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_program("device_benchmark", usage, argc, argv, [&] {
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
