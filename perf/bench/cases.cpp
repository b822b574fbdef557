// SPDX-License-Identifier: BSL-1.0
#include "cases.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <utility>

namespace bench {

namespace {

// Short calls are repeated up to this total time, or up to this multiple of the number of
// repetitions.
constexpr double least_seconds = 0.5;
constexpr std::size_t most_repeats = 10;

bool is_enough(std::size_t calls, double seconds) {
  const auto repeat = static_cast<std::size_t>(options().repeat);
  if (seconds + seconds / static_cast<double>(calls) > options().limit) return true;
  return calls >= repeat && (seconds >= least_seconds || calls >= repeat * most_repeats);
}

// The median seconds per unit of work, by name of a case.
std::map<std::string, std::vector<double>> times;

void report(benchmark::State& state, const std::string& name, const std::vector<rival>& rivals,
            const outcome& o) {
  const double median = timing::upper_median(o.seconds);
  for (auto _ : state) state.SetIterationTime(median);
  state.counters["calls"] = static_cast<double>(o.seconds.size());
  state.counters["fastest_ms"] = 1e3 * *std::min_element(o.seconds.begin(), o.seconds.end());
  if (!o.unit.empty()) state.counters[o.unit + "/s"] = o.work / median;
  for (const auto& [counter, value] : o.counters) state.counters[counter] = value;
  times[name].push_back(median / o.work);
  for (const auto& [counter, rival_name] : rivals) {
    const auto theirs = times.find(rival_name);
    if (theirs == times.end() || rival_name == name) continue;
    state.counters[counter] = timing::median(theirs->second) / timing::median(times[name]);
  }
}

}  // namespace

std::vector<std::size_t> sizes_or(std::vector<std::size_t> own) {
  return options().sizes.empty() ? std::move(own) : options().sizes;
}

std::vector<std::string> policies() {
  if (!options().has_device) return {"omp", "seq"};
  return {"omp", "seq", "cuda_naive", "cuda_tiled"};
}

std::vector<std::size_t> device_counts() {
  static std::vector<std::size_t> counts;
  if (!options().has_device || !counts.empty()) return counts;
  apsp::matrix<float> one(1, 1, 0.0F);
  const apsp::result on_all =
      apsp::floyd_warshall(apsp::cuda_tiled.devices(apsp::all_devices).required(), one, one);
  const auto all = static_cast<std::size_t>(on_all.num_devices());
  for (std::size_t count = 1; count < all; count *= 2) counts.push_back(count);
  counts.push_back(all);
  return counts;
}

outcome measure(const calls& c) {
  using clock = std::chrono::steady_clock;
  if (!c.is_warm) {
    c.prepare();
    c.call();
  }
  outcome o{.unit = c.unit, .work = c.work};
  std::vector<double> limits;
  std::vector<double> shares;
  double total = 0;
  double wall = 0;
  std::clock_t processors = 0;
  do {
    c.prepare();
    const double limit_before = c.limit ? c.limit() : 0;
    const std::clock_t processors_before = std::clock();
    const clock::time_point start = clock::now();
    const double seconds = c.call();
    wall += std::chrono::duration<double>(clock::now() - start).count();
    processors += std::clock() - processors_before;
    if (c.limit) {
      limits.push_back((limit_before + c.limit()) / 2);
      shares.push_back(c.work / seconds / limits.back());
    }
    o.seconds.push_back(seconds);
    total += seconds;
  } while (!is_enough(o.seconds.size(), total));
  // One with seq; less means that another program used the core.
  o.counters["cores"] = static_cast<double>(processors) / CLOCKS_PER_SEC / wall;
  if (c.limit) {
    o.counters["limit/s"] = timing::median(limits);
    o.counters["of_limit"] = timing::median(shares);
  }
  return o;
}

void add(const std::string& name, const std::vector<rival>& rivals, std::function<outcome()> run) {
  const auto run_and_report = [=](benchmark::State& state) {
    try {
      report(state, name, rivals, run());
    } catch (const std::exception& e) {
      has_failed = true;
      state.SkipWithError(e.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run_and_report)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
