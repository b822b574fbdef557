// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "../../../host/parallel_for.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../problem/problem.hpp"

// Matrices in host memory that are equal to their transposes, in tiles of `size` rows and columns.
namespace apsp::inline v1::detail::host {

/// Calls f(u, v) for a tile, in squares so small that rows of the tile and of its transpose stay in
/// the first-level cache.
template <class F>
void for_each_place(std::size_t n, std::size_t size, std::size_t row_tile, std::size_t column_tile,
                    F f) {
  constexpr std::size_t square = 32;
  const std::size_t end_row = std::min((row_tile + 1) * size, n);
  const std::size_t end_column = std::min((column_tile + 1) * size, n);
  for (std::size_t i = row_tile * size; i < end_row; i += square) {
    for (std::size_t j = column_tile * size; j < end_column; j += square) {
      for (std::size_t u = i; u < std::min(i + square, end_row); ++u) {
        for (std::size_t v = j; v < std::min(j + square, end_column); ++v) f(u, v);
      }
    }
  }
}

/// True if the matrix equals its transpose and remains so while it is relaxed, and if it is large
/// enough that half of it should be relaxed. With an edge of negative weight, sums may be clamped.
template <class S>
bool is_symmetric(const closure_problem<S>& problem, std::size_t size, int threads) {
  // With fewer tiles as many steps are on the diagonal as above it.
  constexpr std::size_t fewest_tiles = 4;
  const std::size_t n = problem.num_vertices;
  if (!has_commutative_times<S> || !problem.may_use_symmetry || problem.predecessors != nullptr ||
      n <= (fewest_tiles - 1) * size) {
    return false;
  }
  const std::size_t num_tiles = (n + size - 1) / size;
  using T = typename S::value_type;
  std::atomic<bool> differs = false;
  const auto equals_transpose = [&](std::size_t row_tile, std::size_t column_tile) {
    bool equal = true;
    for_each_place(n, size, row_tile, column_tile, [&](std::size_t u, std::size_t v) {
      const T& entry = problem.distances[u][v];
      equal &= entry == problem.distances[v][u];
      if constexpr (is_min_plus<S>) equal &= !(entry < T{});
    });
    return equal;
  };
  parallel_for(
      num_tiles, threads,
      [&](std::size_t column_tile) {
        for (std::size_t row_tile = 0; row_tile <= column_tile && !differs; ++row_tile) {
          if (!equals_transpose(row_tile, column_tile)) differs = true;
        }
      },
      1);
  return !differs;
}

/// Copies the entries above the diagonal to those below it.
template <class T>
void mirror(T* const* rows, std::size_t n, std::size_t size, int threads) {
  parallel_for((n + size - 1) / size, threads,
               [&](std::size_t row_tile) {
                 for (std::size_t column_tile = 0; column_tile <= row_tile; ++column_tile) {
                   for_each_place(n, size, row_tile, column_tile,
                                  [&](std::size_t u, std::size_t v) {
                                    if (v < u) rows[u][v] = rows[v][u];
                                  });
                 }
               },
               1);
}

}  // namespace apsp::inline v1::detail::host
