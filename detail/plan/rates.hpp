// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>

#include "../../apsp/algorithm.hpp"
#include "distance_kind.hpp"

// Predicted times, from measured rates.
namespace apsp::inline v1::detail {

/// Of Floyd–Warshall, in nanoseconds: n^3 relaxations, n pivots and n^2 entries.
struct closure_speed {
  double relaxation;
  double relaxation_with_predecessors;
  double pivot = 0;
  double entry = 0;  ///< To copy it to the host.
};

/// Of searches on a host, in nanoseconds: each source visits n vertices and m arcs.
struct search_speed {
  double vertex;
  double arc;
  double negative;    ///< Factor on the time per source when weights are reweighted.
  double growth = 0;  ///< Of the time per source at each doubling of n from 1024 on, as caches hold
                      ///< less of the graph.
};

struct host_speeds {
  closure_speed closure;
  search_speed search;
};

/// Measured under seq; under omp all times are divided by the number of threads. AMD EPYC (Zen 4),
/// g++ 12, one core. Floyd–Warshall at n = 512 to 3072, Dijkstra from all sources of random graphs
/// with 4 and 32 arcs per vertex at n = 512 to 2048, and from 16 or 64 sources of roads, meshes and
/// geometric graphs of up to 264,346 vertices, where predictions are between 0.8 and 1.6 of the
/// measured times. On graphs with 4 arcs per vertex, Floyd–Warshall is faster than these searches
/// up to n = 989 for int32, 743 for float, 424 for int64 and 343 for double, and further for whole
/// numbers that are probably short.
constexpr host_speeds host_speed(distance_kind kind) {
  switch (kind) {
    case distance_kind::int32:
      return {{1 / 43.0, 1 / 17.0}, {16, 1.75, 1.15, 0.1}};
    case distance_kind::float32:
      return {{1 / 26.0, 1 / 13.0}, {19, 2.4, 1.8, 0.1}};
    case distance_kind::int64:
      return {{1 / 18.0, 1 / 8.2}, {16, 1.9, 1.15, 0.1}};
    case distance_kind::float64:
      return {{1 / 12.0, 1 / 6.8}, {19, 2.4, 1.7, 0.1}};
    default:  // long double; user-defined types are assumed to be as fast
      return {{1 / 0.29, 1 / 0.45}, {95, 4, 1.7}};
  }
}

/// Whole calls of `cuda_tiled` on an H200 (perf/results/h200_floyd_warshall.csv): n = 16384, and
/// n = 1024 to 4096 with results in pageable host memory (h200_per_source_choice.csv), where the
/// predictions are between 0.7 and 1.4 of the measured times.
constexpr closure_speed cuda_tiled_speed(distance_kind kind) {
  constexpr double pivot = 20e3 / 128;
  constexpr double entry = 0.22;
  switch (kind) {
    case distance_kind::int32:
      return {1 / 13.6e3, 1 / 7.0e3, pivot, entry};
    case distance_kind::float32:
      return {1 / 14.3e3, 1 / 5.4e3, pivot, entry};
    case distance_kind::int64:
      return {1 / 2.8e3, 1 / 1.9e3, pivot, 2 * entry};
    default:
      return {1 / 4.6e3, 1 / 3.0e3, pivot, 2 * entry};
  }
}

/// A relaxation in 16 bits on the host, of any type with kernels.
inline constexpr double short_relaxation = 1 / 43.0;
/// With fewer vertices the search for a bound of the distances takes as long as 16 bits save.
inline constexpr std::size_t fewest_relaxed_in_16_bits = 512;

/// Predicted time in nanoseconds.
constexpr double floyd_warshall_time(const closure_speed& speed, double n, bool with_predecessors) {
  const double relaxation =
      with_predecessors ? speed.relaxation_with_predecessors : speed.relaxation;
  return n * (speed.pivot + n * (speed.entry + n * relaxation));
}
/// @p of_doubling for each doubling of n from 1024 on.
constexpr double growth_in_caches(double n, double of_doubling) {
  double growth = 0;
  for (double size = 2048; size <= n; size *= 2) growth += of_doubling;
  return growth;
}
constexpr double host_search_time(const search_speed& speed, double num_sources, double n, double m,
                                  bool negative) {
  const double factor = (negative ? speed.negative : 1) + growth_in_caches(n, speed.growth);
  return num_sources * (n * speed.vertex + m * speed.arc) * factor;
}

// Work of one host thread in nanoseconds, for `host_backend::for_work`.

/// Of Floyd–Warshall on n vertices.
template <class S>
constexpr double closure_work(std::size_t n, bool with_predecessors) {
  return floyd_warshall_time(host_speed(kind_over<S>()).closure, static_cast<double>(n),
                             with_predecessors);
}
/// Of a product of a rows x depth and a depth x columns matrix.
template <class S>
constexpr double product_work(std::size_t rows, std::size_t columns, std::size_t depth) {
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(depth) *
         host_speed(kind_over<S>()).closure.relaxation;
}
/// Of searches from some sources of a graph with n vertices and m arcs. Bellman–Ford is assumed to
/// relax every arc four times.
constexpr double search_work(distance_kind kind, std::optional<algorithm> method,
                             std::size_t num_sources, std::size_t n, std::size_t m) {
  const double relaxations = method == algorithm::bellman_ford ? 4 : 1;
  return host_search_time(host_speed(kind).search, static_cast<double>(num_sources),
                          static_cast<double>(n), static_cast<double>(m) * relaxations, false);
}
/// Below this number of sources (a solver has threads, and counts those of each), breadth-first
/// search takes one after another: a batch would take longer.
inline constexpr std::size_t fewest_searched_together = 24;

/// Of breadth-first search, in graphs of which a source reaches the last vertices after @p
/// num_levels steps. A batch of up to 512 sources takes a time for each level, and little for each
/// source; few sources are searched from one after another. Random graphs and R-MAT of 4,096 and
/// 16,384 vertices, grids, rings (perf/results/host_breadth_first_search.csv), and a power grid.
constexpr double breadth_first_time(std::size_t num_sources, std::size_t n, std::size_t m,
                                    std::size_t num_levels, bool with_predecessors) {
  constexpr std::size_t together = 512;
  const auto sources = static_cast<double>(num_sources);
  const std::size_t num_batches = (num_sources + together - 1) / together;
  const auto batches = static_cast<double>(num_batches);
  const auto vertices = static_cast<double>(n);
  const auto arcs = static_cast<double>(m);
  const double levels = num_levels < 55 ? static_cast<double>(num_levels) : 55;
  const double one_by_one = sources * (16 * vertices + 1.6 * arcs);
  double time = vertices * (batches * (250 + 40 * levels) + 0.65 * sources) + 0.03 * arcs * sources;
  if (num_sources < fewest_searched_together || one_by_one < time) time = one_by_one;
  return with_predecessors ? time + 4 * sources * vertices : time;
}
/// Bellman–Ford searches from fewer sources one after another.
inline constexpr std::size_t fewest_in_lanes = 16;

/// Of reading or writing entries of matrices.
constexpr double entries_work(std::size_t rows, std::size_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns);
}

/// Vectors hold half as many of the wider types.
constexpr double lane_factor(distance_kind kind) {
  return kind == distance_kind::int64 || kind == distance_kind::float64 ? 2 : 1;
}

}  // namespace apsp::inline v1::detail
