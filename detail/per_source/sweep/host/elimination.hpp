// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "../../../../apsp/config.hpp"
#include "../../../elimination/hierarchy.hpp"
#include "../../../elimination/path_values.hpp"
#include "../../../graph/adjacency.hpp"
#include "../../../graph/trees.hpp"
#include "../../../host/monitor.hpp"
#include "../../../host/parallel_for.hpp"
#include "../../../host/untouched_buffer.hpp"
#include "../../../matrix/host/row_kernel.hpp"
#include "../../../matrix/row_record.hpp"
#include "../../../values/distance_code.hpp"
#include "../../../values/int128.hpp"
#include "../../../values/kernel_semirings.hpp"
#include "../../problem/problem.hpp"
#include "../../lanes/host/lane_kernel.hpp"

namespace apsp::detail::host {

/// Solves for batches of sources by sweeps over a hierarchy: along the ancestors of the sources,
/// and from there down to all vertices, or down along the ancestors of the targets alone. Source:
/// Delling, Goldberg, Nowatzyk, Werneck 2013.
template <class S>
class sweep_solver {
  using T = typename S::value_type;
  using kernel_table = lane_kernels<S>;
  using index = typename kernel_table::index;
  using lanes_above = typename kernel_table::ancestors;
  struct place_range {
    std::size_t begin;
    std::size_t end;
  };

 public:
  /// @param problem  its arcs have weights that are coded as @p values says.
  sweep_solver(const hierarchy<T>& graph, const path_values<S>& values,
               const per_source_problem<T>& problem, int threads, solver_output<T>& output)
      : graph_(graph),
        threads_(threads),
        takes_totals_(can_add_up && output.takes_totals() && !problem.with_predecessors),
        has_targets_(problem.by_reached && !problem.targets.empty()),
        kernels_(choose_kernels(problem, threads)),
        values_(values),
        lane_values_{values.one, values.none, values.none_from, no_path_of(values)},
        problem_(problem),
        output_(output),
        rows_by_place_(numbers_by_place(*graph.tree, problem.sources)),
        wanted_(wanted_places()) {
    if (problem.with_predecessors) incoming_ = incoming_arcs();
  }

  solve_outcome solve(monitor& watch) {
    const std::size_t lanes = kernels_.num_lanes;
    const std::size_t num_batches = (rows_by_place_.size() + lanes - 1) / lanes;
    watch.note_batch(std::min(lanes, rows_by_place_.size()));
    parallel_for_with_workspace(
        num_batches, threads_, [&] { return workspace(*this); },
        [&](workspace& mine, std::size_t batch) {
          if (!watch.stop_requested()) solve_batch(batch * lanes, mine, watch);
        });
    return watch.stop_requested() ? solve_outcome::stopped : solve_outcome::finished;
  }

 private:
  struct workspace {
    explicit workspace(const sweep_solver& call)
        : lane_places(call.kernels_.num_lanes),
          stack(call.lanes_of(static_cast<std::size_t>(call.graph_.tree->height)),
                call.values_.none),
          seen(call.num_vertices(), 0),
          values_above(call.lanes_of(call.most_ancestors())),
          paths(call.lanes_of(call.takes_totals_ ? places_together : call.num_vertices())),
          predecessors(call.lanes_of(call.num_tree_vertices())),
          doubtful(call.num_tree_vertices()),
          seen_from(call.num_tree_vertices(), 0),
          rows(call.takes_totals_ ? 0 : call.kernels_.num_rows * call.num_vertices()),
          predecessor_rows(call.kernels_.num_rows * call.num_tree_vertices()) {
      above.reserve(call.most_ancestors());
    }

    std::vector<std::int32_t> lane_places;
    std::vector<T> stack;
    std::vector<char> seen;  ///< By place; all 0 between batches.
    std::vector<std::int32_t> above;
    untouched_buffer<T> values_above;
    untouched_buffer<T> paths;
    untouched_buffer<index> predecessors;
    untouched_buffer<std::int32_t> doubtful;
    std::size_t num_doubtful = 0;
    std::vector<std::int64_t> seen_from;  ///< By vertex: the start of the last path through it.
    std::int64_t next_start = 1;
    untouched_buffer<T> rows;  ///< For outputs without memory for rows.
    untouched_buffer<std::int32_t> predecessor_rows;
  };

  /// Narrow batches for few sources, since memory that is written for the first time takes longer
  /// than the sweeps do, and for large graphs.
  const kernel_table& choose_kernels(const per_source_problem<T>& problem, int threads) const {
    const std::size_t least_batches = takes_totals_ ? 1 : 4;  // Of each thread.
    constexpr double most_bytes = 4e9;
    const kernel_table& wide = choose_lane_kernels<S>(batch_width::wide);
    const std::size_t num_lanes = static_cast<std::size_t>(thread_count(threads)) * wide.num_lanes;
    const std::size_t bytes_of_lane = sizeof(T) + (problem.with_predecessors ? sizeof(index) : 0);
    // Of each lane. For totals only the values of the ancestors are kept.
    const std::size_t num_kept =
        takes_totals_ ? std::min(num_vertices(),
                                 static_cast<std::size_t>(graph_.tree->height) * wide.num_lanes)
                      : num_vertices();
    const double bytes =
        static_cast<double>(num_kept) * static_cast<double>(num_lanes * bytes_of_lane);
    const bool is_narrow = problem.sources.size() < least_batches * num_lanes || bytes > most_bytes;
    return is_narrow ? choose_lane_kernels<S>(batch_width::narrow) : wide;
  }

  static T no_path_of(const path_values<S>& values) {
    if constexpr (std::is_same_v<S, min_plus<T>>) {
      return no_path<T>();
    } else {
      return values.none;
    }
  }
  std::size_t num_vertices() const { return graph_.tree->num_vertices(); }
  /// The places to sweep down to, ascending: all, or the targets and their ancestors.
  std::vector<place_range> wanted_places() const {
    if (!has_targets_) return {{0, num_vertices()}};
    std::vector<std::int32_t> places;
    for (const std::int32_t t : problem_.targets) {
      places.push_back(graph_.tree->places[static_cast<std::size_t>(t)]);
    }
    std::vector<char> seen(num_vertices(), 0);
    std::vector<std::int32_t> found;
    find_ancestors(*graph_.tree, places, seen, found);
    std::vector<place_range> ranges;
    for (auto i = found.rbegin(); i != found.rend(); ++i) {
      const auto place = static_cast<std::size_t>(*i);
      if (ranges.empty() || ranges.back().end != place) ranges.push_back({place, place});
      ++ranges.back().end;
    }
    return ranges;
  }
  /// A bound of the number of places that the sources of a batch lead up to.
  std::size_t most_ancestors() const {
    return std::min(num_vertices(), lanes_of(static_cast<std::size_t>(graph_.tree->height)));
  }
  /// The arcs into each vertex. Of equally good ones the first becomes the predecessor: heavier
  /// arcs come from nearer vertices, so cycles of weight 0 are rarely chosen.
  adjacency<T> incoming_arcs() const {
    adjacency<T> arcs = reversed_arcs(problem_.arcs);
    std::vector<std::pair<T, std::size_t>> of_vertex;
    std::vector<std::int32_t> sources;
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      const auto begin = static_cast<std::size_t>(arcs.offsets[v]);
      const auto end = static_cast<std::size_t>(arcs.offsets[v + 1]);
      of_vertex.clear();
      // Numbered from the end: of equally good ones the first comes first when all are reversed.
      sources.assign(arcs.targets.begin() + arcs.offsets[v],
                     arcs.targets.begin() + arcs.offsets[v + 1]);
      for (std::size_t a = begin; a < end; ++a) {
        of_vertex.emplace_back(arcs.weights[a], end - 1 - a);
      }
      sort_best_first(values_, of_vertex);
      for (std::size_t a = begin; a < end; ++a) {
        const auto& [weight, number] = of_vertex[end - 1 - a];
        arcs.weights[a] = weight;
        arcs.targets[a] = sources[end - 1 - begin - number];
      }
    }
    return arcs;
  }
  /// The size of what is only needed for predecessors.
  std::size_t num_tree_vertices() const { return problem_.with_predecessors ? num_vertices() : 0; }
  std::size_t lanes_of(std::size_t count) const { return count * kernels_.num_lanes; }
  std::size_t source_of(std::size_t row) const {
    return static_cast<std::size_t>(problem_.sources[row]);
  }
  std::int32_t place_of(std::size_t row) const { return graph_.tree->places[source_of(row)]; }

  void solve_batch(std::size_t first, workspace& mine, monitor& watch) {
    const std::size_t count = std::min(kernels_.num_lanes, rows_by_place_.size() - first);
    const std::size_t* const rows = rows_by_place_.data() + first;
    // Unused lanes repeat the last source.
    for (std::size_t lane = 0; lane < kernels_.num_lanes; ++lane) {
      mine.lane_places[lane] = place_of(rows[std::min(lane, count - 1)]);
    }
    find_ancestors(*graph_.tree, mine.lane_places, mine.seen, mine.above);
    const lanes_above above{mine.above.size(), mine.above.data(), mine.values_above.data()};
    const elimination_tree& tree = *graph_.tree;
    kernels_.up(values_.semiring, lane_values_,
                {graph_.up_offsets.data(), graph_.up.data(), tree.depths.data()},
                mine.lane_places.data(), mine.stack.data(), above);
    if (takes_totals_) {
      add_up(above, mine, count, rows);
      watch.advance(count);
    } else {
      lanes_above left = above;
      for (const place_range& range : wanted_) {
        while (left.count != 0 &&
               static_cast<std::size_t>(left.places[left.count - 1]) < range.begin) {
          --left.count;
        }
        left.count =
            sweep_down(range.begin, range.end, tree.vertices.data() + range.begin, left, mine);
      }
    }
    // The next batch expects it so.
    std::fill(mine.stack.begin(), mine.stack.end(), values_.none);
    if (takes_totals_) return;
    if (has_targets_) return finish_targets(count, rows, mine, watch);
    if (problem_.with_predecessors) find_predecessors(mine, count, rows);
    for (std::size_t lane = 0; lane < count; lane += kernels_.num_rows) {
      finish_rows(lane, std::min(kernels_.num_rows, count - lane), rows + lane, mine, watch);
    }
  }

  std::size_t sweep_down(std::size_t begin, std::size_t end, const std::int32_t* positions,
                         const lanes_above& above, workspace& mine) const {
    return kernels_.down(
        values_.semiring, lane_values_,
        {graph_.down_offsets.data(), graph_.down.data(), graph_.tree->depths.data()},
        {begin, end, positions}, above, {mine.stack.data(), mine.paths.data()});
  }

  /// Sweeps down and adds the distances up while they are in the first-level cache.
  void add_up(lanes_above above, workspace& mine, std::size_t count, const std::size_t* rows) {
    if constexpr (can_add_up) {
      const std::size_t lanes = kernels_.num_lanes;
      const segment_kernels<T>& kernels = choose_segment_kernels<T>();
      const T largest = std::is_integral_v<T> ? static_cast<T>(values_.none_from - 1)
                                              : std::numeric_limits<T>::max();
      std::vector<row_record<T>> records(count);
      std::vector<segment_totals<T>> totals(lanes);
      T* const paths = mine.paths.data();
      for (std::size_t begin = 0; begin < num_vertices(); begin += places_together) {
        const std::size_t size = std::min(places_together, num_vertices() - begin);
        above.count = sweep_down(begin, begin + size, consecutive.data(), above, mine);
        for (std::size_t lane = 0; lane < count; ++lane) {
          const std::size_t own = static_cast<std::size_t>(mine.lane_places[lane]) - begin;
          if (own < size) paths[own * lanes + lane] = lane_values_.stored_none;
        }
        kernels.sum_rows(paths, size, lanes, largest, totals.data());
        for (std::size_t lane = 0; lane < count; ++lane) {
          const auto find = [&](const T& distance) {
            std::int32_t first = std::numeric_limits<std::int32_t>::max();
            for (std::size_t i = 0; i < size; ++i) {
              if (paths[i * lanes + lane] == distance) {
                first = std::min(first, graph_.tree->vertices[begin + i]);
              }
            }
            return first;
          };
          add_segment(totals[lane], true, find, records[lane]);
        }
      }
      for (std::size_t lane = 0; lane < count; ++lane) {
        output_.finish_totals(rows[lane], records[lane]);
      }
    }
  }

  void find_predecessors(workspace& mine, std::size_t count, const std::size_t* rows) const {
    mine.num_doubtful = kernels_.find_predecessors(
        values_.semiring, lane_values_, num_vertices(),
        {.vertices = graph_.tree->vertices.data(),
         .offsets = incoming_.offsets.data(),
         .sources = incoming_.targets.data(),
         .weights = incoming_.weights.data()},
        mine.paths.data(), {mine.predecessors.data(), mine.doubtful.data()});
    // A source has no predecessor, whatever the arcs into it.
    for (std::size_t lane = 0; lane < count; ++lane) {
      mine.predecessors.data()[lanes_of(source_of(rows[lane])) + lane] = -1;
    }
  }

  /// Passes on the entries of the targets; no others have been computed.
  void finish_targets(std::size_t count, const std::size_t* rows, workspace& mine, monitor& watch) {
    T* const row = mine.rows.data();
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t source = source_of(rows[lane]);
      for (const std::int32_t t : problem_.targets) {
        const auto v = static_cast<std::size_t>(t);
        const T& path = mine.paths.data()[lanes_of(v) + lane];
        row[v] = values_.is_path(path) ? path : lane_values_.stored_none;
        // Because of rounding, a cycle through the source may look better than the empty path.
        if (v == source) row[v] = values_.one;
        if (v != source && has_limit() && values_.is_better(problem_.limit, row[v])) {
          row[v] = lane_values_.stored_none;
        }
      }
      output_.finish_reached(rows[lane], row, {});
    }
    watch.advance(count);
  }

  void finish_rows(std::size_t lane, std::size_t count, const std::size_t* rows, workspace& mine,
                   monitor& watch) {
    const std::size_t n = num_vertices();
    T* distances[max_rows];
    std::int32_t* predecessors[max_rows] = {};
    for (std::size_t i = 0; i < kernels_.num_rows; ++i) {
      distances[i] = i < count ? output_.distances(rows[i]) : nullptr;
      if (distances[i] == nullptr) distances[i] = mine.rows.data() + i * n;
      if (!problem_.with_predecessors) continue;
      predecessors[i] = i < count ? output_.predecessors(rows[i]) : nullptr;
      if (predecessors[i] == nullptr) predecessors[i] = mine.predecessor_rows.data() + i * n;
    }
    kernels_.write_rows(values_.semiring, lane_values_, n, mine.paths.data(), lane, distances);
    if (problem_.with_predecessors) {
      kernels_.write_predecessors(n, mine.predecessors.data(), lane, predecessors);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (problem_.with_predecessors &&
          needs_repair(source_of(rows[i]), mine, distances[i], predecessors[i])) {
        repair_tree(source_of(rows[i]), distances[i], predecessors[i]);
      }
      if (has_limit()) forget_beyond_limit(source_of(rows[i]), distances[i], predecessors[i]);
      output_.finish(rows[i], distances[i], predecessors[i]);
    }
    watch.advance(count);
  }

  /// True if the predecessors of a row are not a tree of the vertices with a path. A loop contains
  /// a vertex whose predecessor is not nearer, so only the paths from these are followed. A vertex
  /// without a predecessor, because sums along its arcs overflow, is marked for the repair.
  bool needs_repair(std::size_t source, workspace& mine, const T* distances,
                    std::int32_t* predecessors) const {
    const auto is_doubtful = [&](std::int32_t v) {
      const std::int32_t u = predecessors[v];
      return u >= 0 && !values_.is_better(distances[u], distances[v]);
    };
    // No path gets worse towards its start, unless by rounding or negative weights.
    const bool stays_better = is_coded_integer<T> && !problem_.has_negative_weight;
    const std::int64_t before_this_row = mine.next_start;
    bool found = false;
    for (std::size_t i = 0; i < mine.num_doubtful; ++i) {
      const auto v = static_cast<std::size_t>(mine.doubtful.data()[i]);
      if (v == source || predecessors[v] >= 0 || !values_.is_path(distances[v])) continue;
      predecessors[v] = static_cast<std::int32_t>(source);
      found = true;
    }
    for (std::size_t i = 0; i < mine.num_doubtful && !found; ++i) {
      const std::int64_t start = mine.next_start++;
      std::int32_t v = mine.doubtful.data()[i];
      if (!is_doubtful(v)) continue;
      while (v >= 0 && mine.seen_from[static_cast<std::size_t>(v)] < before_this_row) {
        mine.seen_from[static_cast<std::size_t>(v)] = start;
        if (stays_better && !is_doubtful(v)) break;
        v = predecessors[v];
      }
      found = v >= 0 && mine.seen_from[static_cast<std::size_t>(v)] == start &&
              (!stays_better || is_doubtful(v));
    }
    return found;
  }

  bool has_limit() const { return values_.is_better(problem_.limit, values_.none); }
  // Extending a path never improves it, so what is kept of a tree is a tree.
  void forget_beyond_limit(std::size_t source, T* distances, std::int32_t* predecessors) const {
    for (std::size_t v = 0; v < num_vertices(); ++v) {
      if (v == source || !values_.is_better(problem_.limit, distances[v])) continue;
      distances[v] = lane_values_.stored_none;
      if (predecessors != nullptr) predecessors[v] = -1;
    }
  }

  void repair_tree(std::size_t source, const T* distances, std::int32_t* predecessors) const {
    if constexpr (std::is_same_v<S, min_plus<T>>) {
      build_tree(problem_.arcs, source, sum_slack(problem_.arcs, distances), predecessors);
    } else {
      const auto through = [&](std::size_t u, std::size_t a) -> T {
        return values_.times(distances[u], problem_.arcs.weights[a]);
      };
      build_tree(problem_.arcs, source, value_slack(problem_.arcs, distances, through),
                 predecessors);
    }
  }

  static constexpr std::size_t max_rows = 16;
  static constexpr bool can_add_up = std::is_same_v<S, min_plus<T>> && has_compiled_kernels<T>;
  /// The places whose distances are added up together.
  static constexpr std::size_t places_together = 64;
  static constexpr auto consecutive = [] {
    std::array<std::int32_t, places_together> numbers{};
    for (std::size_t i = 0; i < places_together; ++i) numbers[i] = static_cast<std::int32_t>(i);
    return numbers;
  }();

  const hierarchy<T>& graph_;
  int threads_;
  bool takes_totals_;
  bool has_targets_;  ///< Only their entries are computed.
  const kernel_table& kernels_;
  path_values<S> values_;
  typename kernel_table::values_of_lanes lane_values_;
  const per_source_problem<T>& problem_;
  solver_output<T>& output_;
  std::vector<std::size_t> rows_by_place_;
  std::vector<place_range> wanted_;
  adjacency<T> incoming_;
};

/// Solves for the sources of @p problem.
template <class S>
APSP_EXPORT solve_outcome sweep(const hierarchy<typename S::value_type>& graph,
                                const path_values<S>& values,
                                const per_source_problem<typename S::value_type>& problem,
                                int threads, solver_output<typename S::value_type>& output,
                                monitor& watch) {
  return sweep_solver<S>(graph, values, problem, threads, output).solve(watch);
}

#define APSP_EXTERN_SWEEP(...)                                                             \
  extern template solve_outcome sweep<__VA_ARGS__>(                                        \
      const hierarchy<typename __VA_ARGS__::value_type>&, const path_values<__VA_ARGS__>&, \
      const per_source_problem<typename __VA_ARGS__::value_type>&, int,                    \
      solver_output<typename __VA_ARGS__::value_type>&, monitor&);
APSP_FOR_EACH_KERNEL_SEMIRING(APSP_EXTERN_SWEEP)
APSP_EXTERN_SWEEP(min_plus<long double>)
#undef APSP_EXTERN_SWEEP

}  // namespace apsp::detail::host
