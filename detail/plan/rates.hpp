// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>

#include "../../apsp/algorithm.hpp"
#include "distance_kind.hpp"

// Predicted times, from measured rates.
namespace apsp::detail {

/// Time for all pairs of a graph, in nanoseconds: either n^3 Floyd–Warshall relaxations plus a
/// fixed time per pivot, or n sources that each visit n vertices and m arcs.
struct solver_speed {
  double relaxation;
  double relaxation_with_predecessors;
  double pivot;
  double vertex;
  double arc;
  double negative = 1;        ///< Factor on the time per source when weights are reweighted.
  double start = 0;           ///< Additional start-up time for all sources together.
  double dijkstra_start = 0;  ///< The same if a device runs Dijkstra's algorithm.
  double level =
      0;  ///< Of an entry, for each step of a breadth-first search: a device waits for every step.
  double growth = 0;  ///< Of the time per source at each doubling of n from 1024 on, as caches hold
                      ///< less of the graph.
};

/// Measured under seq; under omp all times are divided by the number of threads. AMD EPYC (Zen 4),
/// g++ 12, one core. Floyd–Warshall at n = 512 to 3072, Dijkstra from all sources of random graphs
/// with 4 and 32 arcs per vertex at n = 512 to 2048, and from 16 or 64 sources of roads, meshes and
/// geometric graphs of up to 264,346 vertices, where predictions are between 0.8 and 1.6 of the
/// measured times. On graphs with 4 arcs per vertex, Floyd–Warshall is faster than these searches
/// up to n = 989 for int32, 743 for float, 424 for int64 and 343 for double, and further for whole
/// numbers that are probably short.
constexpr solver_speed host_speed(distance_kind kind) {
  // Searches take more time per source as caches hold less of the graph.
  const auto measured = [](double relaxation, double relaxation_with_predecessors, double vertex,
                           double arc, double negative) {
    return solver_speed{.relaxation = relaxation,
                        .relaxation_with_predecessors = relaxation_with_predecessors,
                        .pivot = 0,
                        .vertex = vertex,
                        .arc = arc,
                        .negative = negative,
                        .growth = 0.1};
  };
  switch (kind) {
    case distance_kind::int32:
      return measured(1 / 43.0, 1 / 17.0, 16, 1.75, 1.15);
    case distance_kind::float32:
      return measured(1 / 26.0, 1 / 13.0, 19, 2.4, 1.8);
    case distance_kind::int64:
      return measured(1 / 18.0, 1 / 8.2, 16, 1.9, 1.15);
    case distance_kind::float64:
      return measured(1 / 12.0, 1 / 6.8, 19, 2.4, 1.7);
    default: {  // long double; user-defined types are assumed to be as fast
      solver_speed speed = measured(1 / 0.29, 1 / 0.45, 95, 4, 1.7);
      speed.growth = 0;
      return speed;
    }
  }
}

/// Whole calls on an H200 with results in pageable host memory
/// (perf/results/h200_floyd_warshall.csv, h200_topologies.csv and h200_random_32768.csv):
/// Floyd–Warshall at n = 16384; Bellman–Ford from many sources at once on random graphs with 4 arcs
/// per vertex, int32, at n = 4677 to 32768, which is also the time of Dijkstra's algorithm where
/// that is chosen; the start so that the choice is right at n = 1024 to 4096 with 2 to 32 arcs per
/// vertex (perf/results/h200_per_source_choice.csv). For other types the time per source is assumed
/// proportional to their size. Graphs with 4 arcs per vertex are therefore solved by Floyd–Warshall
/// up to n = 1502 for int32. The time of a level is from Bellman–Ford on an H100, results in device
/// memory: roads and a mesh of 15,606 to 76,595 vertices.
constexpr solver_speed cuda_tiled_speed(distance_kind kind) {
  constexpr double pivot = 20e3 / 128;
  constexpr double level = 0.0015;
  constexpr solver_speed narrow{.relaxation = 1 / 13.6e3,
                                .relaxation_with_predecessors = 1 / 7.0e3,
                                .pivot = pivot,
                                .vertex = 0.06,
                                .arc = 0.022,
                                .negative = 1.2,
                                .start = 1.5e6,
                                .dijkstra_start = 0.15e6,
                                .level = level};
  constexpr solver_speed wide{.relaxation = 1 / 2.8e3,
                              .relaxation_with_predecessors = 1 / 1.9e3,
                              .pivot = pivot,
                              .vertex = 0.12,
                              .arc = 0.044,
                              .negative = 1.2,
                              .start = 1.5e6,
                              .dijkstra_start = 0.15e6,
                              .level = level};
  switch (kind) {
    case distance_kind::int32:
      return narrow;
    case distance_kind::float32: {
      // Reweighted distances are computed in double.
      solver_speed speed = narrow;
      speed.relaxation = 1 / 14.3e3;
      speed.relaxation_with_predecessors = 1 / 5.4e3;
      speed.negative = 2;
      return speed;
    }
    case distance_kind::int64:
      return wide;
    default: {
      solver_speed speed = wide;
      speed.relaxation = 1 / 4.6e3;
      speed.relaxation_with_predecessors = 1 / 3.0e3;
      return speed;
    }
  }
}

/// A relaxation in 16 bits on the host, of any type with kernels.
inline constexpr double short_relaxation = 1 / 43.0;
/// With fewer vertices the search for a bound of the distances takes as long as 16 bits save.
inline constexpr std::size_t fewest_relaxed_in_16_bits = 512;

/// Predicted time in nanoseconds.
constexpr double floyd_warshall_time(const solver_speed& speed, double n, bool with_predecessors) {
  const double relaxation =
      with_predecessors ? speed.relaxation_with_predecessors : speed.relaxation;
  return n * (speed.pivot + n * n * relaxation);
}
constexpr double per_source_time(const solver_speed& speed, double num_sources, double n, double m,
                                 bool negative, double num_levels = 0) {
  double factor = negative ? speed.negative : 1;
  for (double size = 2048; size <= n; size *= 2) factor += speed.growth;
  const double vertex = speed.vertex + speed.level * num_levels;
  return speed.start + num_sources * (n * vertex + m * speed.arc) * factor;
}

// Work of one host thread in nanoseconds, for `host_backend::for_work`.

/// Of Floyd–Warshall on n vertices.
template <class S>
constexpr double closure_work(std::size_t n, bool with_predecessors) {
  return floyd_warshall_time(host_speed(kind_over<S>()), static_cast<double>(n), with_predecessors);
}
/// Of a product of a rows x depth and a depth x columns matrix.
template <class S>
constexpr double product_work(std::size_t rows, std::size_t columns, std::size_t depth) {
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(depth) *
         host_speed(kind_over<S>()).relaxation;
}
/// Of searches from some sources of a graph with n vertices and m arcs. Bellman–Ford is assumed to
/// relax every arc four times.
constexpr double search_work(distance_kind kind, std::optional<algorithm> method,
                             std::size_t num_sources, std::size_t n, std::size_t m) {
  const double relaxations = method == algorithm::bellman_ford ? 4 : 1;
  return per_source_time(host_speed(kind), static_cast<double>(num_sources), static_cast<double>(n),
                         static_cast<double>(m) * relaxations, false);
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

/// The largest number of searches for which a block of Dijkstra's algorithm on a device takes less
/// time than a block of Bellman–Ford, which solves 32 sources: all blocks together need more cache
/// the more vertices there are. Measured on an H200 on random graphs, R-MAT and grids of 4096 to
/// 65536 vertices with 2 to 64 arcs per vertex, from one source to all
/// (perf/results/h200_per_source_choice.csv): the chosen algorithm takes 1.05 times as long as the
/// faster one on average, and 2.8 times at most.
struct dijkstra_on_device {
  static constexpr std::size_t fewest_sources = 16;
  static constexpr double least_entries = 30e6;
  static constexpr double entries_per_degree = 2e6;

  static constexpr bool pays(std::size_t num_sources, std::size_t n, std::size_t m) {
    const auto vertices = static_cast<double>(n);
    const double entries = static_cast<double>(num_sources) * vertices;
    const double degree = n == 0 ? 0 : static_cast<double>(m) / vertices;
    return num_sources >= fewest_sources && entries <= least_entries + entries_per_degree * degree;
  }
};

/// Vectors hold half as many of the wider types.
constexpr double lane_factor(distance_kind kind) {
  return kind == distance_kind::int64 || kind == distance_kind::float64 ? 2 : 1;
}

}  // namespace apsp::detail
