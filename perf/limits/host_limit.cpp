// SPDX-License-Identifier: BSL-1.0
#include "host_limit.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "../common/timing.hpp"

namespace host_limit {

std::vector<const loops*> instruction_sets() {
  std::vector<const loops*> sets{&baseline};
#ifdef APSP_PERF_HAS_X86_LOOPS
  if (__builtin_cpu_supports("avx2")) sets.push_back(&avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw")) {
    sets.push_back(&avx512);
  }
#endif
  return sets;
}

const loops& chosen_instruction_set() {
  const auto sets = instruction_sets();
  if (const char* wanted = std::getenv("APSP_INSTRUCTION_SET")) {
    for (const loops* set : sets) {
      if (std::strcmp(set->instruction_set, wanted) == 0) return *set;
    }
  }
  return *sets.back();
}

int num_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// The threads are OpenMP threads, like those of omp. Idle OpenMP threads may spin, and would
// compete with other threads.
double measure(loop relax, int threads) {
  // At least about 10 ms, which is long compared to the start of a team.
  constexpr int steps = 2'000'000;
  std::vector<double> rates(static_cast<std::size_t>(threads));
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (std::size_t t = 0; t < rates.size(); ++t) {
    const auto [relaxations, seconds] = timing::timed([&] { return relax(steps); });
    rates[t] = relaxations / seconds;
  }
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

}  // namespace host_limit
