// SPDX-License-Identifier: BSL-1.0
// Dijkstra, Bellman–Ford, Johnson and Floyd–Warshall of this library under seq and omp, next to
// Boost.Graph's Johnson on the same graph. For every graph and type Boost.Graph runs first, and the
// counter x_boost of the others is its time per source divided by theirs: both were measured in the
// same minute of the same run.
#include <benchmark/benchmark.h>

#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/files.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "benchmark_main.hpp"
#include "mean_seconds.hpp"

namespace {

constexpr std::int32_t largest_weight = 1000;
constexpr std::uint64_t seed = 1;

// Seconds of Boost.Graph per name of a problem.
std::map<std::string, double> boost_seconds;

template <class W>
struct problem {
  apsp_perf::csr_arrays<W> graph;
  apsp::matrix<W> distances;
};

template <class W>
using make_graph = std::function<apsp_perf::csr_arrays<W>()>;

// The same problem for all solvers of a name; only the last one is kept.
template <class W>
problem<W>& problem_of(const std::string& name, const make_graph<W>& make) {
  static std::string last_name;
  static std::unique_ptr<problem<W>> last;
  if (!last || last_name != name) {
    last.reset();
    last = std::make_unique<problem<W>>();
    last->graph = make();
    last->distances = apsp::matrix<W>(last->graph.num_vertices());
    last_name = name;
  }
  return *last;
}

// Runs solve(), which returns seconds, and returns the mean.
template <class Solve>
double measure(benchmark::State& state, std::size_t num_sources, Solve solve) {
  const double mean = mean_seconds(state, solve);
  state.counters["sources/s"] = benchmark::Counter(static_cast<double>(num_sources),
                                                   benchmark::Counter::kIsIterationInvariantRate);
  return mean;
}

// Making the graph is not part of the time.
template <class W>
void run_boost(benchmark::State& state, const std::string& name, const make_graph<W>& make) {
  auto& p = problem_of<W>(name, make);
  using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                      boost::no_property, boost::property<boost::edge_weight_t, W>>;
  const std::size_t n = p.graph.num_vertices();
  graph b(n);
  for (std::size_t u = 0; u < n; ++u) {
    const auto end = static_cast<std::size_t>(p.graph.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(p.graph.offsets[u]); k < end; ++k) {
      boost::add_edge(u, static_cast<std::size_t>(p.graph.targets[k]), p.graph.weights[k], b);
    }
  }
  boost_seconds[name] = measure(state, n, [&] {
    return timing::seconds_of([&] { boost::johnson_all_pairs_shortest_paths(b, p.distances); });
  });
  state.counters["x_boost"] = 1;
}

template <class W, class Solve>
void run_apsp(benchmark::State& state, const std::string& name, const make_graph<W>& make,
              Solve solve) {
  auto& p = problem_of<W>(name, make);
  const double mean = measure(state, p.graph.num_vertices(), [&] {
    return timing::seconds_of([&] {
      if (!solve(p.graph.view(), p.distances)) state.SkipWithError("a negative cycle");
    });
  });
  const auto boost = boost_seconds.find(name);
  // Every row has the counter, or Google Benchmark could not write a CSV file.
  state.counters["x_boost"] = boost == boost_seconds.end() ? std::nan("") : boost->second / mean;
}

template <class W>
void register_graph(const std::string& name, const make_graph<W>& make) {
  const auto add = [&](const std::string& solver, auto run) {
    benchmark::RegisterBenchmark((solver + "/" + name).c_str(), run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("boost_johnson", [=](benchmark::State& state) { run_boost<W>(state, name, make); });
  const auto add_policies = [&](const std::string& algorithm, auto solve) {
    add("seq_" + algorithm, [=](benchmark::State& state) {
      run_apsp<W>(state, name, make,
                  [&](const auto& g, auto& d) { return bool(solve(apsp::seq, g, d)); });
    });
    add("omp_" + algorithm, [=](benchmark::State& state) {
      run_apsp<W>(state, name, make,
                  [&](const auto& g, auto& d) { return bool(solve(apsp::omp, g, d)); });
    });
  };
  add_policies("dijkstra", [](const auto& policy, const auto& g, auto& d) {
    return apsp::dijkstra(policy, g, d);
  });
  add_policies("bellman_ford", [](const auto& policy, const auto& g, auto& d) {
    return apsp::bellman_ford(policy, g, d);
  });
  add_policies("johnson", [](const auto& policy, const auto& g, auto& d) {
    return apsp::johnson(policy, g, d);
  });
  add_policies("floyd_warshall", [](const auto& policy, const auto& g, auto& d) {
    return apsp::floyd_warshall(policy, g, d);
  });
}

// The file of the 9th DIMACS Challenge, or an empty path.
std::filesystem::path rome99() {
  const char* folder = std::getenv("APSP_TEST_DATA");
  const std::filesystem::path data = folder != nullptr ? folder : "../shared/data";
  const auto file = data / "dimacs9-rome99" / "rome99.gr";
  return std::filesystem::exists(file) ? file : std::filesystem::path{};
}

template <class W>
void register_type(const std::string& type) {
  const auto add = [&](const std::string& graph, make_graph<W> make) {
    register_graph<W>(graph + "/" + type, make);
  };
  if (const auto file = rome99(); !file.empty()) {
    add("rome99", [file] {
      const auto g = apsp::read_dimacs<W>(file);
      return apsp_perf::csr_arrays<W>{{g.offsets().begin(), g.offsets().end()},
                                      {g.targets().begin(), g.targets().end()},
                                      {g.weights().begin(), g.weights().end()}};
    });
  }
  for (const std::size_t n : {2048, 4096}) {
    add("out_degree_4/" + std::to_string(n),
        [n] { return apsp_perf::fixed_degree_graph<W>(n, 4, largest_weight, seed); });
  }
  add("grid/4096", [] { return apsp_perf::grid_graph<W>(64, 64, largest_weight, seed); });
  for (const std::size_t n : {512, 1024}) {
    add("complete/" + std::to_string(n),
        [n] { return apsp_perf::complete_graph<W>(n, largest_weight, seed); });
  }
  add("ring/4677", [] {
    return apsp_perf::ring_graph<W>(4677, apsp_perf::ring_kind::both_ways, largest_weight, seed);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    register_type<std::int32_t>("i32");
    register_type<float>("f32");
  });
}
