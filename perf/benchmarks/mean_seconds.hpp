// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <benchmark/benchmark.h>

/// Runs @p solve(), which returns its own seconds, as often as Google Benchmark asks for, and returns
/// their mean.
template <class Solve>
double mean_seconds(benchmark::State& state, Solve solve) {
  double total = 0;
  for (auto _ : state) {
    const double seconds = solve();
    state.SetIterationTime(seconds);
    total += seconds;
  }
  return total / static_cast<double>(state.iterations());
}
