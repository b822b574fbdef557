// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"

namespace apsp::inline v1::detail::host {

/// The better of two distances; the second if neither is better.
template <class T, class Compare>
T better(const T& x, const T& y, const Compare& compare) {
  return compare(x, y) ? x : y;
}

/// With fewer vertices, starting the threads for a pivot takes longer than relaxing its rows.
inline constexpr std::size_t fewest_vertices_for_threads = 128;

/// Floyd–Warshall with any `compare` and `combine`, relaxing the rows in place.
///
/// For any number of threads the result is that of the loop over pivots, rows and columns in this
/// order: rows before the pivot row read its old values, rows after it read its new values. The
/// results are therefore the same even if the functions satisfy no algebraic laws.
/// @param algebra  has `compare(x, y)`: x is better than y; `combine(x, y)`: the distance along two
///                 consecutive paths; and `inf`: "no path", which `combine` is not called with.
///                 Both are called from several threads.
/// @param watch    its steps are pivots.
/// @return false if @p watch requested a stop; the entries are then unspecified.
/// Complexity: at most n^3 calls of each function.
template <class T, class Algebra>
bool semiring_floyd_warshall(std::size_t n, T* const* rows, const Algebra& algebra, int threads,
                             monitor& watch) {
  const auto& compare = algebra.compare;
  const auto& combine = algebra.combine;
  const T& inf = algebra.inf;
  if (n < fewest_vertices_for_threads) threads = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (watch.stop_requested()) return false;
    const T* pivot_row = rows[k];
    const auto relax_row = [&](std::size_t i) {
      T* row = rows[i];
      if (!(row[k] != inf)) return;
      for (std::size_t j = 0; j < n; ++j) {
        // Column k may change during the loop, and so may row k if it is the row being relaxed.
        if (pivot_row[j] != inf) {
          row[j] = better(row[j], static_cast<T>(combine(row[k], pivot_row[j])), compare);
        }
      }
    };
    parallel_for(k, threads, relax_row);
    relax_row(k);
    parallel_for(n - k - 1, threads, [&](std::size_t i) { relax_row(k + 1 + i); });
    watch.advance(1);
  }
  return !watch.stop_requested();
}

}  // namespace apsp::inline v1::detail::host
