// SPDX-License-Identifier: BSL-1.0
// Many small graphs on the host: one call for all of them, next to loops of single calls under seq
// and omp. For every type and size the loop under seq runs first, and the counter x_loop of the
// others is its time divided by theirs: both were measured in the same minute of the same run.
#include <benchmark/benchmark.h>

#include <apsp/floyd_warshall.hpp>
#include <apsp/floyd_warshall_batch.hpp>
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
#include <vector>

#include "../generators.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"

namespace {

constexpr std::size_t arcs_per_vertex = 4;
constexpr std::int32_t largest_weight = 1000;
constexpr std::size_t entries_of_a_batch = std::size_t{1} << 22;

// Seconds of the loop under seq per weight type and number of vertices.
std::map<std::pair<std::string, std::size_t>, double> loop_seconds;

template <class W>
struct batch {
  using csr = apsp_perf::csr_arrays<W>;
  std::vector<csr> arrays;
  std::vector<decltype(std::declval<const csr&>().view())> graphs;
  std::vector<apsp::matrix<W>> distances;

  explicit batch(std::size_t n) {
    const std::size_t count = entries_of_a_batch / (n * n);
    for (std::size_t i = 0; i < count; ++i) {
      arrays.push_back(apsp_perf::fixed_degree_graph<W>(n, arcs_per_vertex, largest_weight, i));
      distances.emplace_back(n);
    }
    for (const csr& g : arrays) graphs.push_back(g.view());
  }
};

// The same batch for all solvers of a size; only the last one is kept.
template <class W>
batch<W>& batch_of(std::size_t n) {
  static std::unique_ptr<batch<W>> last;
  if (!last || last->arrays.front().num_vertices() != n) last = std::make_unique<batch<W>>(n);
  return *last;
}

template <class W, class Policy>
bool solve_together(const Policy& policy, batch<W>& b) {
  bool valid = true;
  for (const auto& done : apsp::floyd_warshall(policy, b.graphs, b.distances)) {
    valid = valid && bool(done);
  }
  return valid;
}

template <class W, class Policy>
bool solve_in_a_loop(const Policy& policy, batch<W>& b) {
  bool valid = true;
  for (std::size_t i = 0; i < b.graphs.size(); ++i) {
    valid = bool(apsp::floyd_warshall(policy, b.graphs[i], b.distances[i])) && valid;
  }
  return valid;
}

template <class W, class Solve>
void run(benchmark::State& state, const std::string& type, std::size_t n, bool is_reference,
         Solve solve) {
  batch<W>& b = batch_of<W>(n);
  double total = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if (!solve(b)) state.SkipWithError("a negative cycle");
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(elapsed.count());
    total += elapsed.count();
  }
  const double mean = total / static_cast<double>(state.iterations());
  if (is_reference) loop_seconds[{type, n}] = mean;
  state.counters["graphs/s"] = benchmark::Counter(static_cast<double>(b.graphs.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
  // Every row has the counter, or Google Benchmark could not write a CSV file.
  const auto loop = loop_seconds.find({type, n});
  state.counters["x_loop"] = loop == loop_seconds.end() ? std::nan("") : loop->second / mean;
}

template <class W>
void register_type(const std::string& type) {
  for (const std::size_t n : {16, 32, 64, 128, 256}) {
    const auto add = [&](const std::string& solver, bool is_reference, auto solve) {
      const std::string name = solver + "/" + type + "/" + std::to_string(n);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [=](benchmark::State& state) { run<W>(state, type, n, is_reference, solve); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("loop_seq", true, [](batch<W>& b) { return solve_in_a_loop(apsp::seq, b); });
    add("loop_omp", false, [](batch<W>& b) { return solve_in_a_loop(apsp::omp, b); });
    add("batch_seq", false, [](batch<W>& b) { return solve_together(apsp::seq, b); });
    add("batch_omp", false, [](batch<W>& b) { return solve_together(apsp::omp, b); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
  });
}
