// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include "../../apsp/policy.hpp"
#include "../../apsp/result.hpp"
#include "../../apsp/semiring.hpp"
#include "../values/kernel_semirings.hpp"

// Chooses the algorithm when the caller does not name one.
namespace apsp::detail {

/// The algorithm for graphs without negative weights that Johnson's algorithm runs on @p b after
/// reweighting. Many weights are then zero, which lets Dijkstra's algorithm on a device settle few
/// vertices per step.
constexpr algorithm choose_after_reweighting(backend b) {
  const bool is_host = b == backend::seq || b == backend::omp;
  return is_host ? algorithm::dijkstra : algorithm::bellman_ford;
}

/// The algorithm for a list of sources of a graph of n vertices and m arcs on @p b. With Dijkstra's
/// algorithm on one device thread per source, a call takes n^2 sequential steps even for a single
/// source.
constexpr algorithm choose_per_source(backend b, bool has_negative_weight, std::size_t num_sources,
                                      std::size_t n, std::size_t m) {
  if (has_negative_weight) return algorithm::johnson;
  if (b != backend::cuda_tiled) return choose_after_reweighting(b);
  // A block of Dijkstra's algorithm takes less time than a block of Bellman-Ford, but solves one
  // source instead of 32, and all blocks together need more cache the more vertices there are.
  // Measured on an H200 on random graphs, R-MAT and grids of 4096 to 65536 vertices with 2 to 64 arcs
  // per vertex, from one source to all (perf/results/h200_per_source_choice.csv): the chosen
  // algorithm takes 1.05 times as long as the faster one on average, and 2.8 times at most.
  constexpr std::size_t fewest_sources = 16;
  constexpr double least_entries = 30e6;
  constexpr double entries_per_degree = 2e6;
  const auto vertices = static_cast<double>(n);
  const double entries = static_cast<double>(num_sources) * vertices;
  const double degree = n == 0 ? 0 : static_cast<double>(m) / vertices;
  const bool is_fast =
      num_sources >= fewest_sources && entries <= least_entries + entries_per_degree * degree;
  return is_fast ? algorithm::dijkstra : algorithm::bellman_ford;
}

/// Distance types with different speeds.
enum class distance_kind { int32, float32, int64, float64, other };

template <class T>
constexpr distance_kind kind_of() {
  if constexpr (std::is_integral_v<T>) {
    return sizeof(T) <= 4 ? distance_kind::int32 : distance_kind::int64;
  } else if constexpr (std::is_same_v<T, float>) {
    return distance_kind::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return distance_kind::float64;
  } else {
    return distance_kind::other;
  }
}

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
  double growth = 0;  ///< Of the time per source at each doubling of n from 1024 on, as caches hold
                      ///< less of the graph.
};

/// Measured under seq; under omp all times are divided by the number of threads. AMD EPYC (Zen 4),
/// g++ 12, one core. Floyd–Warshall at n = 512 to 3072, Dijkstra from all sources of random graphs
/// with 4 and 32 arcs per vertex at n = 512 to 2048, and from 16 or 64 sources of roads, meshes and
/// geometric graphs of up to 264,346 vertices, where predictions are between 0.8 and 1.6 of the
/// measured times. Graphs with 4 arcs per vertex are therefore
/// solved by Floyd–Warshall up to n = 990 for int32, 740 for float, 430 for int64 and 340 for
/// double.
constexpr solver_speed host_speed(distance_kind kind) {
  switch (kind) {
    case distance_kind::int32:
      return {1 / 43.0, 1 / 17.0, 0, 16, 1.75, 1.15, 0, 0, 0.1};
    case distance_kind::float32:
      return {1 / 26.0, 1 / 13.0, 0, 19, 2.4, 1.8, 0, 0, 0.1};
    case distance_kind::int64:
      return {1 / 18.0, 1 / 8.2, 0, 16, 1.9, 1.15, 0, 0, 0.1};
    case distance_kind::float64:
      return {1 / 12.0, 1 / 6.8, 0, 19, 2.4, 1.7, 0, 0, 0.1};
    default:  // long double; user-defined types are assumed to be as fast
      return {1 / 0.29, 1 / 0.45, 0, 95, 4, 1.7};
  }
}

/// Whole calls on an H200 with results in pageable host memory
/// (perf/results/h200_floyd_warshall.csv, h200_topologies.csv and h200_random_32768.csv):
/// Floyd–Warshall at n = 16384; Bellman–Ford from many sources at once on random graphs with 4 arcs
/// per vertex, int32, at n = 4677 to 32768, which is also the time of Dijkstra's algorithm where that
/// is chosen; the start so that the choice is right at n = 1024 to 4096 with 2 to 32 arcs per vertex
/// (perf/results/h200_per_source_choice.csv). For other types the time per source is assumed
/// proportional to their size. Graphs with 4 arcs per vertex are therefore solved by Floyd–Warshall
/// up to n = 1500 for int32.
constexpr solver_speed cuda_tiled_speed(distance_kind kind) {
  constexpr double pivot = 20e3 / 128;
  constexpr solver_speed narrow{1 / 13.6e3, 1 / 7.0e3, pivot, 0.06, 0.022, 1.2, 1.5e6, 0.15e6};
  constexpr solver_speed wide{1 / 2.8e3, 1 / 1.9e3, pivot, 0.12, 0.044, 1.2, 1.5e6, 0.15e6};
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

/// Predicted time in nanoseconds.
constexpr double floyd_warshall_time(const solver_speed& speed, double n, bool with_predecessors) {
  const double relaxation =
      with_predecessors ? speed.relaxation_with_predecessors : speed.relaxation;
  return n * (speed.pivot + n * n * relaxation);
}
constexpr double per_source_time(const solver_speed& speed, double num_sources, double n, double m,
                                 bool negative) {
  double factor = negative ? speed.negative : 1;
  for (double size = 2048; size <= n; size *= 2) factor += speed.growth;
  return speed.start + num_sources * (n * speed.vertex + m * speed.arc) * factor;
}

/// The speed of plain loops is that of other types.
template <class S>
constexpr distance_kind kind_over() {
  return is_min_plus<S> || has_library_kernels<S> ? kind_of<typename S::value_type>()
                                                  : distance_kind::other;
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
/// Below this number of sources for each thread, breadth-first search takes one after another: a
/// batch would take longer.
inline constexpr std::size_t fewest_searched_together = 24;

/// Of breadth-first search from many sources at once, in graphs of which a source reaches the last
/// vertices after @p num_levels steps: random graphs and R-MAT of 4,096 and 16,384 vertices, grids
/// and rings (perf/results/host_breadth_first_search.csv).
constexpr double breadth_first_time(std::size_t num_sources, std::size_t n, std::size_t m,
                                    std::size_t num_levels, bool with_predecessors) {
  double entry = 1.2 + 0.025 * static_cast<double>(num_levels);
  if (entry > 5) entry = 5;
  if (with_predecessors) entry += 4;
  // Few sources are searched from one after another, which levels do not matter for.
  if (num_sources < fewest_searched_together) entry = 15;
  return static_cast<double>(num_sources) *
         (static_cast<double>(n) * entry + 0.03 * static_cast<double>(m));
}
/// Of reading or writing entries of matrices.
constexpr double entries_work(std::size_t rows, std::size_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns);
}

/// The algorithm for all pairs of a graph of n vertices and m arcs on @p b: Floyd–Warshall, or the
/// choice for a list of all sources.
constexpr algorithm choose_all_pairs(backend b, distance_kind kind, std::size_t n, std::size_t m,
                                     bool has_negative_weight, bool with_predecessors) {
  // On this backend the other algorithms are slower on every measured graph of 1024 or more
  // vertices: by a factor of 20 to 500 on sparse graphs (perf/results/h200_topologies.csv).
  if (b == backend::cuda_naive) return algorithm::floyd_warshall;
  const solver_speed speed = b == backend::cuda_tiled ? cuda_tiled_speed(kind) : host_speed(kind);
  const auto vertices = static_cast<double>(n);
  const double at_once = floyd_warshall_time(speed, vertices, with_predecessors);
  const algorithm method = choose_per_source(b, has_negative_weight, n, n, m);
  double by_source =
      per_source_time(speed, vertices, vertices, static_cast<double>(m), has_negative_weight);
  if (method == algorithm::dijkstra) by_source += speed.dijkstra_start - speed.start;
  return by_source < at_once ? method : algorithm::floyd_warshall;
}

}  // namespace apsp::detail
