// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../host/monitor.hpp"
#include "../host/parallel_for.hpp"

namespace apsp::detail::host {

/// The better of two distances; the second if neither is better.
template <class T, class Compare>
T better(const T& x, const T& y, const Compare& compare) {
  return compare(x, y) ? x : y;
}

/// With fewer vertices, starting the threads for a pivot takes longer than relaxing its rows.
inline constexpr std::size_t fewest_vertices_for_threads = 128;

/// Floyd–Warshall over whatever `compare` and `combine` mean, relaxing the rows in place.
///
/// On any number of threads it does what the loop over pivots, rows and columns does, in the same
/// order: the rows before the pivot's read that row as it was, and those behind it as it has
/// become. So the functions need obey no law for the results to be the same.
/// @param compare  `compare(x, y)`: x is the better one. Called from several threads, as `combine` is.
/// @param combine  the distance along two paths, one behind the other; never called with @p inf.
/// @param inf      "no path".
/// @param watch    its steps are pivots.
/// @return false if @p watch asked for a stop; entries are then anything.
/// Complexity: n^3 calls of both functions at most.
template <class T, class Compare, class Combine>
bool semiring_floyd_warshall(std::size_t n, T* const* rows, const Compare& compare,
                             const Combine& combine, const T& inf, int threads, monitor& watch) {
  if (n < fewest_vertices_for_threads) threads = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (watch.stop_requested()) return false;
    const T* pivot_row = rows[k];
    const auto relax_row = [&](std::size_t i) {
      T* row = rows[i];
      if (!(row[k] != inf)) return;
      for (std::size_t j = 0; j < n; ++j) {
        // Column k may change on the way, and row k if it is the one that is relaxed.
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

}  // namespace apsp::detail::host
