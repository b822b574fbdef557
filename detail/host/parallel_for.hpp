// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include "../../apsp/config.hpp"
#include "first_exception.hpp"

#ifdef APSP_USES_OPENMP
#include <omp.h>
#endif

namespace apsp::inline v1::detail::host {

/// The number of threads for a request of `threads` (0: OpenMP's default).
inline int thread_count([[maybe_unused]] int threads) {
#ifdef APSP_USES_OPENMP
  return threads == 0 ? omp_get_max_threads() : threads;
#else
  return 1;
#endif
}

/// Calls f(member) once on each of that many threads, or on as many as OpenMP can provide: at least
/// on the calling one, which is member 0. Members may only wait for each other in ways that a
/// single member would complete alone. f must not throw.
template <class F>
void on_each_thread([[maybe_unused]] int threads, F f) {
#ifdef APSP_USES_OPENMP
  if (thread_count(threads) > 1) {
#pragma omp parallel num_threads(thread_count(threads))
    f(omp_get_thread_num());
    return;
  }
#endif
  f(0);
}

/// Calls f(workspace, i) for i in [0, count) on that many threads, @p grain calls at a time. Each
/// thread constructs its own workspace, and all workspaces exist before the first call. Rethrows
/// the first exception.
template <class MakeWorkspace, class F>
void parallel_for_with_workspace(std::size_t count, [[maybe_unused]] int threads,
                                 MakeWorkspace make_workspace, F f,
                                 [[maybe_unused]] std::size_t grain = 1) {
#ifdef APSP_USES_OPENMP
  if (thread_count(threads) > 1 && count > 1) {
    using workspace_type = decltype(make_workspace());
    first_exception failure;
#pragma omp parallel num_threads(thread_count(threads))
    {
      std::optional<workspace_type> workspace;
      failure.guard([&] { workspace.emplace(make_workspace()); });
      // If an allocation fails, nothing must have been written.
      if constexpr (!std::is_empty_v<workspace_type>) {
#pragma omp barrier
      }
#pragma omp for schedule(dynamic, grain)
      for (std::size_t i = 0; i < count; ++i) {
        if (failure.has_failed()) continue;
        failure.guard([&] { f(*workspace, i); });
      }
    }
    failure.rethrow();
    return;
  }
#endif
  if (count == 0) return;
  auto workspace = make_workspace();
  for (std::size_t i = 0; i < count; ++i) f(workspace, i);
}

/// Calls f(i) for i in [0, count) on that many threads, @p grain calls at a time. Rethrows the
/// first exception of f.
template <class F>
void parallel_for(std::size_t count, int threads, F f, std::size_t grain = 16) {
  struct nothing {};
  parallel_for_with_workspace(
      count, threads, [] { return nothing{}; }, [&](nothing, std::size_t i) { f(i); }, grain);
}

}  // namespace apsp::inline v1::detail::host
