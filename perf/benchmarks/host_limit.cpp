// SPDX-License-Identifier: BSL-1.0
// How many relaxations per second this machine can do at most, c = min(c, a + b) on registers alone,
// for every instruction set that the library has loops for; and which share of that whole solves of
// seq (on one core) and omp (on all) reach. The limit is measured before and after every solve, on as
// many threads, so that a share is of one moment. A table of all that ran comes last.
#include <benchmark/benchmark.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "../generators.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"
#include "limit_loops.hpp"

namespace {

// Those that this processor has, the best one last.
std::vector<const limit_loops*> instruction_sets() {
  std::vector<const limit_loops*> sets{&baseline_limit_loops};
#ifdef APSP_PERF_HAS_X86_LOOPS
  if (__builtin_cpu_supports("avx2")) sets.push_back(&avx2_limit_loops);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    sets.push_back(&avx512_limit_loops);
  }
#endif
  return sets;
}

// What the library chooses, with regard to APSP_INSTRUCTION_SET.
const limit_loops& chosen_instruction_set() {
  const auto sets = instruction_sets();
  if (const char* wanted = std::getenv("APSP_INSTRUCTION_SET")) {
    for (const limit_loops* set : sets) {
      if (std::strcmp(set->instruction_set, wanted) == 0) return *set;
    }
  }
  return *sets.back();
}

// As many as apsp::omp uses.
int num_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Relaxations per second of all threads together, each by its own time: unlike a solve they share
// nothing out, so one that is held up must not count for all. They are OpenMP's threads, as those of
// omp: these wait for their next work by spinning, and would take the cores from any others.
double measure_limit(limit_loops::loop relax, int threads) {
  // Some 10 ms or more: long beside the start of a team.
  constexpr int steps = 2'000'000;
  std::vector<double> rates(static_cast<std::size_t>(threads));
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (std::size_t t = 0; t < rates.size(); ++t) {
    const auto start = std::chrono::steady_clock::now();
    const double relaxations = relax(steps);
    rates[t] = relaxations / seconds_since(start);
  }
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

struct row {
  std::string type;
  std::string instruction_set;
  std::string solver;
  std::size_t n;
  double rate;
  double limit;
  double share;
};
std::vector<row> table;

// Every row has the same counters, or Google Benchmark could not write a CSV file.
void report(benchmark::State& state, const row& measured) {
  state.counters["relaxations/s"] = measured.rate;
  state.counters["limit"] = measured.limit;
  state.counters["share_of_limit"] = measured.share;
  table.push_back(measured);
}

void run_limit(benchmark::State& state, const std::string& type, const limit_loops& set,
               limit_loops::loop relax, int threads) {
  std::vector<double> rates;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    rates.push_back(measure_limit(relax, threads));
    state.SetIterationTime(seconds_since(start));
  }
  const double rate = median(rates);
  report(state,
         {type, set.instruction_set, "registers x " + std::to_string(threads), 0, rate, rate, 1.0});
}

template <class W, class Policy>
void run_policy(benchmark::State& state, const std::string& type, std::size_t n,
                const std::string& solver, const Policy& policy, int threads) {
  const limit_loops& set = chosen_instruction_set();
  const double size = static_cast<double>(n);
  const auto graph = apsp_perf::fixed_degree_graph<W>(n, 8, 1000, 1);
  apsp::matrix<W> distances(n);
  std::vector<double> rates, limits, shares;
  double limit_before = measure_limit(set.of<W>(), threads);
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if (!apsp::floyd_warshall(policy, graph.view(), distances)) {
      state.SkipWithError("a negative cycle");
      break;
    }
    const double seconds = seconds_since(start);
    state.SetIterationTime(seconds);
    const double limit_after = measure_limit(set.of<W>(), threads);
    rates.push_back(size * size * size / seconds);
    limits.push_back((limit_before + limit_after) / 2);
    shares.push_back(rates.back() / limits.back());
    limit_before = limit_after;
  }
  if (rates.empty()) return;
  report(state, {type, set.instruction_set, solver + " x " + std::to_string(threads), n,
                 median(rates), median(limits), median(shares)});
}

template <class Run>
void add(const std::string& name, int iterations, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->UseManualTime()
      ->Iterations(iterations)
      ->Unit(benchmark::kMillisecond);
}

template <class W>
void register_type(const std::string& type) {
  const int all = num_threads();
  const auto add_limit = [&](const limit_loops& set, int threads) {
    add("limit/" + type + "/" + set.instruction_set + "/threads:" + std::to_string(threads), 15,
        [=, &set](benchmark::State& state) { run_limit(state, type, set, set.of<W>(), threads); });
  };
  for (const limit_loops* set : instruction_sets()) {
    add_limit(*set, 1);
    if (all > 1) add_limit(*set, all);
  }
  for (const std::size_t n : {1024, 2048, 4096}) {
    const std::string suffix = "/" + type + "/" + std::to_string(n);
    // A core alone would take a minute for the largest.
    if (n <= 2048) {
      add("seq" + suffix, 7,
          [=](benchmark::State& state) { run_policy<W>(state, type, n, "seq", apsp::seq, 1); });
    }
    add("omp" + suffix, 7,
        [=](benchmark::State& state) { run_policy<W>(state, type, n, "omp", apsp::omp, all); });
  }
}

void print_table() {
  if (table.empty()) return;
  std::printf("\n%-5s %-9s %-16s %6s %16s %10s %7s\n", "type", "set", "solver x threads", "n",
              "relaxations/s", "limit", "share");
  for (const row& r : table) {
    const std::string n = r.n == 0 ? "-" : std::to_string(r.n);
    std::printf("%-5s %-9s %-16s %6s %14.1f G %8.1f G %5.0f %%\n", r.type.c_str(),
                r.instruction_set.c_str(), r.solver.c_str(), n.c_str(), r.rate / 1e9, r.limit / 1e9,
                100 * r.share);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int status = benchmark_main(argc, argv, [] {
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
  });
  print_table();
  return status;
}
