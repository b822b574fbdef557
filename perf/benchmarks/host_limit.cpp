// SPDX-License-Identifier: BSL-1.0
// How many relaxations per second this machine can do at most, c = min(c, a + b) on registers alone,
// for every instruction set that the library has loops for; and which share of that whole solves of
// seq (on one core) and omp (on all) reach. The limit is measured before and after every solve, on as
// many threads, so that a share is of one moment. A table of all that ran comes last.
#include <benchmark/benchmark.h>

#include <apsp/floyd_warshall.hpp>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"
#include "limit_loops.hpp"
#include "limit_measurement.hpp"

namespace {

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
    state.SetIterationTime(
        timing::seconds_of([&] { rates.push_back(limit_measurement::measure(relax, threads)); }));
  }
  const double rate = timing::upper_median(rates);
  report(state,
         {type, set.instruction_set, "registers x " + std::to_string(threads), 0, rate, rate, 1.0});
}

template <class W, class Policy>
void run_policy(benchmark::State& state, const std::string& type, std::size_t n,
                const std::string& solver, const Policy& policy, int threads) {
  const limit_loops& set = limit_measurement::chosen_instruction_set();
  const double size = static_cast<double>(n);
  const auto graph = apsp_perf::fixed_degree_graph<W>(n, 8, 1000, 1);
  apsp::matrix<W> distances(n);
  std::vector<double> rates, limits, shares;
  double limit_before = limit_measurement::measure(set.of<W>(), threads);
  for (auto _ : state) {
    const auto [done, seconds] =
        timing::timed([&] { return apsp::floyd_warshall(policy, graph.view(), distances); });
    if (!done) {
      state.SkipWithError("a negative cycle");
      break;
    }
    state.SetIterationTime(seconds);
    const double limit_after = limit_measurement::measure(set.of<W>(), threads);
    rates.push_back(size * size * size / seconds);
    limits.push_back((limit_before + limit_after) / 2);
    shares.push_back(rates.back() / limits.back());
    limit_before = limit_after;
  }
  if (rates.empty()) return;
  report(state,
         {type, set.instruction_set, solver + " x " + std::to_string(threads), n,
          timing::upper_median(rates), timing::upper_median(limits), timing::upper_median(shares)});
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
  const int all = limit_measurement::num_threads();
  const auto add_limit = [&](const limit_loops& set, int threads) {
    add("limit/" + type + "/" + set.instruction_set + "/threads:" + std::to_string(threads), 15,
        [=, &set](benchmark::State& state) { run_limit(state, type, set, set.of<W>(), threads); });
  };
  for (const limit_loops* set : limit_measurement::instruction_sets()) {
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
