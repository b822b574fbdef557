// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <benchmark/benchmark.h>

/// What main() of a program of Google Benchmark returns: 1 if an argument is not of Google Benchmark,
/// else 0, once the benchmarks that @p register_all() registers and the arguments choose have run.
template <class Register>
int benchmark_main(int argc, char** argv, Register register_all) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
