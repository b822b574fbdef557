// SPDX-License-Identifier: BSL-1.0
// Floyd–Warshall of this library under seq and omp, next to Boost.Graph's on the same graph. For
// every type and size Boost.Graph runs first, and the counter x_boost of the others is its time
// divided by theirs: both were measured in the same minute of the same run.
#include <benchmark/benchmark.h>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../compare/boost_rival.hpp"
#include "../generators.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"
#include "mean_seconds.hpp"

namespace {

constexpr double arc_probability = 0.25;
constexpr std::int32_t largest_weight = 1000;
constexpr std::uint64_t seed = 1;

// Seconds of Boost.Graph per weight type and number of vertices.
std::map<std::pair<std::string, std::size_t>, double> boost_seconds;

template <class W>
struct problem {
  apsp_perf::csr_arrays<W> graph;
  apsp::matrix<W> distances;
};

// The same problem for all solvers of a size; only the last one is kept.
template <class W>
problem<W>& problem_of(std::size_t n) {
  static std::unique_ptr<problem<W>> last;
  if (!last || last->graph.num_vertices() != n) {
    last.reset();
    last = std::make_unique<problem<W>>();
    last->graph = apsp_perf::gnp_graph<W>(n, arc_probability, largest_weight, seed);
    last->distances = apsp::matrix<W>(n);
  }
  return *last;
}

// Runs solve(), which returns seconds, and returns the mean.
template <class Solve>
double measure(benchmark::State& state, std::size_t n, Solve solve) {
  const double mean = mean_seconds(state, solve);
  const double size = static_cast<double>(n);
  state.counters["relaxations/s"] =
      benchmark::Counter(size * size * size, benchmark::Counter::kIsIterationInvariantRate);
  return mean;
}

template <class W>
void run_boost(benchmark::State& state, const std::string& type, std::size_t n) {
  auto& p = problem_of<W>(n);
  boost_seconds[{type, n}] =
      measure(state, n, [&] { return apsp_compare::solve_with_boost(p.graph, p.distances); });
  state.counters["x_boost"] = 1;
}

template <class W, class Policy>
void run_policy(benchmark::State& state, const std::string& type, std::size_t n,
                const Policy& policy) {
  auto& p = problem_of<W>(n);
  const double mean = measure(state, n, [&] {
    const auto start = std::chrono::steady_clock::now();
    const auto solved = apsp::floyd_warshall(policy, p.graph.view(), p.distances);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!solved) state.SkipWithError("a negative cycle");
    return elapsed.count();
  });
  const auto boost = boost_seconds.find({type, n});
  // Every row has the counter, or Google Benchmark could not write a CSV file.
  state.counters["x_boost"] = boost == boost_seconds.end() ? std::nan("") : boost->second / mean;
}

template <class W>
void register_type(const std::string& type) {
  for (const std::size_t n : {256, 512, 1024, 2048}) {
    const std::string suffix = "/" + type + "/" + std::to_string(n);
    const auto add = [&](const std::string& solver, auto run) {
      benchmark::RegisterBenchmark((solver + suffix).c_str(), run)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("boost", [=](benchmark::State& state) { run_boost<W>(state, type, n); });
    add("seq", [=](benchmark::State& state) { run_policy<W>(state, type, n, apsp::seq); });
    add("omp", [=](benchmark::State& state) { run_policy<W>(state, type, n, apsp::omp); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
  });
}
