// SPDX-License-Identifier: BSL-1.0
// Summaries and histograms of a distance matrix under seq and omp, next to what is left of them when
// nothing is computed: one read of the matrix. The counter of_read is the time of that read divided by the
// time of the reduction, both with the same threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <apsp/distance_summary.hpp>
#include <apsp/matrix.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>

#include "../generators.hpp"
#include "../weight_types.hpp"
#include "benchmark_main.hpp"

namespace {

constexpr std::size_t n = 8192;
constexpr std::int32_t largest_distance = 1000;

// A twelfth of the pairs are unreachable.
template <class T>
const apsp::matrix<T>& distances() {
  static const apsp::matrix<T> m = [] {
    apsp::matrix<T> made(n);
    apsp_perf::random_numbers random(1);
    for (T& d : made) {
      const std::int32_t w = random.weight(largest_distance);
      d = w % 12 == 0 ? apsp::unreachable<T> : static_cast<T>(w);
    }
    return made;
  }();
  return m;
}

// Seconds of a plain read, per type and policy.
std::map<std::string, double> read_seconds;

template <class F>
void measure(benchmark::State& state, const std::string& key, bool is_read, std::size_t bytes,
             F reduce) {
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    reduce();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(elapsed.count());
    best = std::min(best, elapsed.count());
  }
  if (is_read) read_seconds[key] = best;
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  const auto read = read_seconds.find(key);
  // Every row has the counter, or Google Benchmark could not write a CSV file.
  state.counters["of_read"] = read == read_seconds.end() ? std::nan("") : read->second / best;
}

// Reads all of it, eight bytes at a time.
template <class T>
std::uint64_t read_all(const apsp::matrix<T>& m, [[maybe_unused]] bool in_parallel) {
  std::uint64_t all = 0;
  constexpr std::size_t words = n * sizeof(T) / sizeof(std::uint64_t);
#pragma omp parallel for reduction(^ : all) if (in_parallel)
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t row[words];
    std::memcpy(row, m[i], sizeof row);
    for (const std::uint64_t word : row) all ^= word;
  }
  return all;
}

template <class T, class Policy>
void register_policy(const std::string& type, const std::string& name, const Policy& policy) {
  const std::string key = type + name;
  constexpr std::size_t bytes = n * n * sizeof(T);
  const auto add = [&](const std::string& what, auto reduce) {
    benchmark::RegisterBenchmark((what + "/" + name + "/" + type).c_str(),
                                 [=](benchmark::State& state) {
                                   const auto& m = distances<T>();
                                   measure(state, key, what == "read", bytes, [&] { reduce(m); });
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("read", [name](const auto& m) { benchmark::DoNotOptimize(read_all(m, name == "omp")); });
  add("summary", [policy](const auto& m) {
    benchmark::DoNotOptimize(apsp::summarize_distances(policy, m).num_pairs());
  });
  add("histogram_of_width", [policy](const auto& m) {
    const auto bins = apsp::histogram_bins<T>::of_width(0, 10, 100);
    benchmark::DoNotOptimize(apsp::distance_histogram(policy, m, bins).above);
  });
  add("histogram_between", [policy](const auto& m) {
    const auto bins = apsp::histogram_bins<T>::between({1, 3, 10, 30, 100, 300, 1000});
    benchmark::DoNotOptimize(apsp::distance_histogram(policy, m, bins).above);
  });
}

template <class T>
void register_type(const std::string& type) {
  register_policy<T>(type, "seq", apsp::seq);
  register_policy<T>(type, "omp", apsp::omp);
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark_main(argc, argv, [] {
    weight_types::for_each(
        []<class W>(std::type_identity<W>, const std::string& name) { register_type<W>(name); });
  });
}
