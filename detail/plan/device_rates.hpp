// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>

// Rates of a device that only the planner reads.
namespace apsp::inline v1::detail {

/// What a call of searches from each source has to do.
struct search_work_on_device {
  double num_sources;
  double num_vertices;
  double num_arcs;
  double reached_share;  ///< As in `call_facts`.
  double widest_level;
  double num_levels;   ///< 0: unknown
  double lane_factor;  ///< As `lane_factor` of the type.
};

/// Bellman–Ford from so many sources that vertices pull along many arcs at a time. Fitted to whole
/// calls on an H200 (perf/results/h200_pulled_tiles.csv): random graphs, R-MAT, a small world and
/// wiki-Vote of 4,096 to 65,536 vertices with 4 to 16 arcs per vertex, with weights that are
/// searched in 16 bits or not, all sources. The predictions are between 0.5 and 1.5 of the measured
/// times: how many arcs are dropped, and whether 16 bits suffice, is not known before the call.
struct pulled_tiles_on_device {
  // As `pull_tuning` and `per_source_run` have it for 4-byte words and 132 multiprocessors. Narrow
  // rows have no times of their own.
  static constexpr double fewest_sources = 3200;
  static constexpr double least_vertices_per_round = 200;

  static constexpr double start = 1.2e6;
  static constexpr double arc = 10;  ///< Sent, reversed, searched along: h200_reversed_arcs.csv.
  static constexpr double entry = 0.03;
  static constexpr double arc_and_source = 0.005;
  static constexpr double written_entry = 0.01;
  static constexpr double sources_at_once = 8448;  ///< Fewer take as long.

  static bool are_used(const search_work_on_device& work) {
    const double per_round =
        work.num_vertices * work.reached_share / std::max(work.num_levels, 1.0);
    return work.num_sources >= fewest_sources && per_round >= least_vertices_per_round;
  }
  static double time(const search_work_on_device& work) {
    const double n = work.num_vertices;
    const double share = work.reached_share * work.reached_share;
    const double of_source =
        share * (entry * n + arc_and_source * work.num_arcs) + written_entry * n;
    return start + arc * work.num_arcs +
           work.lane_factor * std::max(work.num_sources, sources_at_once) * of_source;
  }
};

/// Searches by `cuda_tiled`, in nanoseconds, for 32-bit types. Fitted to whole calls on an H200
/// (perf/results/h200_per_source_choice.csv): random graphs, R-MAT and grids of 4,096 to 65,536
/// vertices with 2 to 64 arcs per vertex, from one source to all by Dijkstra's algorithm, and from
/// fewer than `pulled_tiles_on_device` is for by Bellman–Ford.
struct searches_on_device {
  // Dijkstra's algorithm: a block searches from one source, and some hundred blocks run at a time.
  static constexpr double dijkstra_start = 0.4e6;
  static constexpr double settled_vertex = 100;  ///< Of the first search.
  static constexpr double settled_arc = 5;
  /// Of an entry, for each part of the vertices that is open, at 10,000 vertices. The lists of all
  /// blocks need more cache the more vertices there are.
  static constexpr double open_entry = 1.4;
  static constexpr double arc = 0.02;             ///< The least time of an arc and source.
  static constexpr double written_entry = 0.005;  ///< Of a row, whatever its source reaches.

  static double dijkstra(const search_work_on_device& work) {
    const double n = work.num_vertices;
    const double first = settled_vertex * n + settled_arc * work.num_arcs;
    // About as many of the sources lead to other vertices as are reached, and most arcs are between
    // such vertices.
    const double share = work.reached_share;
    const double open = open_entry * work.widest_level * std::sqrt(n / 1e4);
    const double of_source =
        std::max(share * share * open * n, share * arc * work.num_arcs) + written_entry * n;
    return dijkstra_start + work.reached_share * first +
           work.lane_factor * work.num_sources * of_source;
  }

  // Bellman–Ford from fewer sources than `pulled_tiles_on_device` is for: a few of them one after
  // another, or a block for a tile of sources.
  static constexpr double bellman_ford_start = 1.3e6;
  static constexpr double one_source = 0.2e6;
  static constexpr double vertex_of_one = 5;
  static constexpr double arc_of_one = 0.25;
  static constexpr double vertex_of_tile = 55;  ///< Of the first tile.
  static constexpr double arc_of_tile = 70;
  static constexpr double entry = 0.19;
  static constexpr double arc_and_source = 0.013;
  /// Of an entry: a tile waits for every level. Roads and a mesh of 15,606 to 76,595 vertices on an
  /// H100, results in device memory.
  static constexpr double entry_and_level = 0.0015;

  static double bellman_ford(const search_work_on_device& work) {
    if (pulled_tiles_on_device::are_used(work)) return pulled_tiles_on_device::time(work);
    const double n = work.num_vertices;
    const double m = work.num_arcs;
    const double one_by_one = work.num_sources * (one_source + vertex_of_one * n + arc_of_one * m);
    const double first_tile = vertex_of_tile * n + arc_of_tile * m;
    const double of_source = (entry + entry_and_level * work.num_levels) * n + arc_and_source * m;
    return bellman_ford_start + std::min(one_by_one, first_tile) +
           work.lane_factor * work.num_sources * of_source;
  }

  /// Where both take nearly the same time, it is Dijkstra's algorithm that levels may favor.
  static bool prefers_dijkstra(const search_work_on_device& work) {
    return dijkstra(work) <= 1.1 * bellman_ford(work);
  }
};

/// Dijkstra's algorithm on a device, on graphs whose levels are narrow: few vertices are open at a
/// time, and the number of levels bounds the time of a search from below. The more levels a graph
/// of that size has, the smaller is the part of a block's memory that is in use. Fitted to whole
/// calls on an H200, of which no file is kept, from 64, 1,024 and all sources of grids of 4,096 to
/// 90,000 vertices, meshes in two and three dimensions, and the roads of Luxembourg and New York:
/// an entry took 0.17 to 2.5 ns from 1,024 sources on, and the predictions were between 0.5 and 1.8
/// of the measured times. perf/results/h100_choice.csv has such calls on an H100. The time of an
/// arc and source is the least one of R-MAT.
struct narrow_searches_on_device {
  static constexpr double entry = 0.6;  ///< If the square of the number of levels is n.
  static constexpr double fewest_squared_levels = 0.15;  ///< Per vertex; the time hardly grows.
  static constexpr double arc = 0.02;
  static constexpr double sources_at_once = 400;
  static constexpr double level = 2e3;  ///< The least time of a level of that many searches.

  static double dijkstra(const search_work_on_device& work) {
    const double n = work.num_vertices * work.reached_share;
    const double squared_levels =
        std::max(work.num_levels * work.num_levels / n, fewest_squared_levels);
    const double by_entries = entry * std::pow(squared_levels, -0.85) * n;
    const double by_levels = level * work.num_levels / sources_at_once;
    const double by_arcs = arc * work.num_arcs * work.reached_share;
    return work.lane_factor * std::max({by_entries, by_levels, by_arcs}) *
           (work.num_sources + sources_at_once);
  }
};

/// Of the breadth-first search on the host that finds the levels.
inline constexpr double level_search_vertex = 8;
inline constexpr double level_search_arc = 2.5;

/// Beside a device, an elimination is prepared on the host. The measured time divided by that
/// predicted for one thread was 0.5 to 1.7 on six graphs, with 16 threads of a virtual machine.
inline constexpr double preparation_beside_device = 1.5;

}  // namespace apsp::inline v1::detail
