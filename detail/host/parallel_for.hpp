// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace apsp::detail::host {

/// The number of threads that a request of `threads` (0: as OpenMP gives) gets.
inline int thread_count([[maybe_unused]] int threads) {
#ifdef _OPENMP
  return threads == 0 ? omp_get_max_threads() : threads;
#else
  return 1;
#endif
}

/// Calls f(i) for i in [0, count) on that many threads, @p grain calls at a time; the first exception
/// of f comes out here.
template <class F>
void parallel_for(std::size_t count, [[maybe_unused]] int threads, F f,
                  [[maybe_unused]] std::size_t grain = 16) {
#ifdef _OPENMP
  if (thread_count(threads) > 1 && count > 1) {
    std::exception_ptr thrown;
    std::atomic<bool> failed = false;
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, grain)
    for (std::size_t i = 0; i < count; ++i) {
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        f(i);
      } catch (...) {
        if (!failed.exchange(true)) thrown = std::current_exception();
      }
    }
    if (thrown) std::rethrow_exception(thrown);
    return;
  }
#endif
  for (std::size_t i = 0; i < count; ++i) f(i);
}

}  // namespace apsp::detail::host
