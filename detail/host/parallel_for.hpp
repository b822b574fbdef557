// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>

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

/// Calls f(workspace, i) for i in [0, count) on that many threads, @p grain calls at a time. Each thread
/// makes a workspace of its own. The first exception comes out here.
template <class MakeWorkspace, class F>
void parallel_for_with_workspace(std::size_t count, [[maybe_unused]] int threads,
                                 MakeWorkspace make_workspace, F f,
                                 [[maybe_unused]] std::size_t grain = 1) {
#ifdef _OPENMP
  if (thread_count(threads) > 1 && count > 1) {
    std::exception_ptr thrown;
    std::atomic<bool> failed = false;
    const auto guarded = [&](auto action) {
      try {
        action();
      } catch (...) {
        if (!failed.exchange(true)) thrown = std::current_exception();
      }
    };
#pragma omp parallel num_threads(thread_count(threads))
    {
      std::optional<decltype(make_workspace())> workspace;
      guarded([&] { workspace.emplace(make_workspace()); });
#pragma omp for schedule(dynamic, grain)
      for (std::size_t i = 0; i < count; ++i) {
        if (failed.load(std::memory_order_relaxed)) continue;
        guarded([&] { f(*workspace, i); });
      }
    }
    if (thrown) std::rethrow_exception(thrown);
    return;
  }
#endif
  if (count == 0) return;
  auto workspace = make_workspace();
  for (std::size_t i = 0; i < count; ++i) f(workspace, i);
}

/// Calls f(i) for i in [0, count) on that many threads, @p grain calls at a time; the first exception
/// of f comes out here.
template <class F>
void parallel_for(std::size_t count, int threads, F f, std::size_t grain = 16) {
  struct nothing {};
  parallel_for_with_workspace(
      count, threads, [] { return nothing{}; }, [&](nothing, std::size_t i) { f(i); }, grain);
}

}  // namespace apsp::detail::host
