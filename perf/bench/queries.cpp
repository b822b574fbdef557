// SPDX-License-Identifier: BSL-1.0
// Cases queries/policy/i32/grid/n/query: tables of 64 sources and 64 targets within squares in the
// middle of the grid, compared with whole rows of the sources; the distance of two vertices 16
// apart; a row with predecessors; the nearest of 1024 sources; and the distances from 1024 sources
// within a cutoff. With /prepared at the end, of a contraction_hierarchy of the grid.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

using vertex_list = std::vector<std::size_t>;

constexpr std::size_t table_side = 64;
constexpr std::size_t many_sources = 1024;

/// The number of rows of the grid of n vertices, which has at least as many columns.
std::size_t rows_of_grid(std::size_t n) {
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
}

/// Random vertices of a square with that side in the middle of the grid.
vertex_list vertices_within(std::size_t n, std::size_t part, std::size_t count,
                            std::uint64_t seed) {
  const std::size_t rows = rows_of_grid(n);
  const std::size_t columns = n / rows;
  const std::size_t top = (rows - part) / 2;
  const std::size_t left = (columns - part) / 2;
  apsp_perf::random_numbers random(options().seed + seed);
  vertex_list list;
  while (list.size() < count) {
    const std::size_t row = top + random.index(part);
    list.push_back(row * columns + left + random.index(part));
  }
  return list;
}

auto& grid(std::size_t n) {
  return problem_of<std::int32_t>("i32", "grid", n);
}

/// The hierarchy of the grid of n vertices: one is kept.
const apsp::contraction_hierarchy<std::int32_t>& hierarchy_of(std::size_t n) {
  static std::size_t prepared_n = 0;
  static apsp::contraction_hierarchy<std::int32_t> hierarchy;
  if (prepared_n != n) {
    hierarchy = apsp::contraction_hierarchy<std::int32_t>(apsp::omp, grid(n).graph.view());
    prepared_n = n;
  }
  return hierarchy;
}

/// The grid of n vertices, as it is or prepared.
struct queried_grid {
  std::size_t n;
  bool is_prepared;

  /// Calls f with the graph.
  template <class F>
  auto visit(F f) const {
    return is_prepared ? f(hierarchy_of(n)) : f(grid(n).graph.view());
  }
};

/// The distances from @p source, by Dijkstra's algorithm.
std::vector<std::int32_t> row_of(std::size_t n, std::size_t source) {
  std::vector<std::int32_t> row(grid(n).n());
  require(bool(apsp::dijkstra(apsp::seq, grid(n).graph.view(), source, row)),
          "a row that is not solved");
  return row;
}

/// The rows of @p sources, of which a function reads the entries of @p targets.
outcome run_rows(const std::string& policy, std::size_t n, const vertex_list& sources,
                 const vertex_list& targets) {
  const auto graph = grid(n).graph.view();
  std::int64_t sum = 0;
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return apsp::for_each_row(p, graph, sources,
                                [&](std::size_t, std::span<const std::int32_t> row) {
                                  for (const std::size_t t : targets) sum += row[t];
                                });
    });
  };
  return measure({.call = call, .unit = "sources", .work = static_cast<double>(sources.size())});
}

outcome run_table(const std::string& policy, const queried_grid& queried,
                  const vertex_list& sources, const vertex_list& targets) {
  apsp::matrix<std::int32_t> table(sources.size(), targets.size());
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return queried.visit([&](const auto& graph) {
        return apsp::distance_table(p, graph, sources, targets, table);
      });
    });
  };
  const outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(sources.size())});
  const auto row = row_of(queried.n, sources.front());
  for (std::size_t j = 0; j < targets.size(); ++j) {
    require(table[0][j] == row[targets[j]], "wrong distances");
  }
  return o;
}

outcome run_nearest(const std::string& policy, const queried_grid& queried,
                    const vertex_list& sources) {
  const std::size_t n = grid(queried.n).n();
  std::vector<std::int32_t> distances(n);
  std::vector<std::int32_t> nearest(n);
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return queried.visit([&](const auto& graph) {
        return apsp::nearest_sources(p, graph, sources, distances, nearest);
      });
    });
  };
  outcome o = measure({.call = call, .unit = "vertices", .work = static_cast<double>(n)});
  const auto row = row_of(queried.n, sources.front());
  for (std::size_t v = 0; v < n; ++v) {
    const bool is_of_row = static_cast<std::size_t>(nearest[v]) == sources.front();
    require(is_of_row ? distances[v] == row[v] : distances[v] <= row[v], "wrong distances");
  }
  return o;
}

outcome run_row(const std::string& policy, const queried_grid& queried, std::size_t source) {
  const std::size_t n = grid(queried.n).n();
  std::vector<std::int32_t> distances(n);
  std::vector<std::int32_t> predecessors(n);
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return queried.visit([&](const auto& graph) {
        return apsp::all_pairs_shortest_paths(
            p, graph, vertex_list{source}, apsp::matrix_view<std::int32_t>(distances.data(), 1, n),
            apsp::matrix_view<std::int32_t>(predecessors.data(), 1, n));
      });
    });
  };
  outcome o = measure({.call = call, .unit = "vertices", .work = static_cast<double>(n)});
  require(distances == row_of(queried.n, source), "wrong distances");
  return o;
}

outcome run_within(const std::string& policy, const queried_grid& queried,
                   const vertex_list& sources, std::int32_t cutoff) {
  double entries = 0;
  std::int64_t entries_of_first = 0;
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return queried.visit([&](const auto& graph) {
        const auto near = apsp::distances_within(p, graph, cutoff, sources);
        entries = static_cast<double>(near.targets.size());
        entries_of_first = static_cast<std::int64_t>(near.offsets[1]);
        return near.status();
      });
    });
  };
  outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(sources.size())});
  const auto row = row_of(queried.n, sources.front());
  const auto is_near = [&](std::int32_t d) { return d <= cutoff; };
  require(std::count_if(row.begin(), row.end(), is_near) == entries_of_first, "wrong distances");
  o.counters["entries"] = entries;
  return o;
}

}  // namespace

void add_queries() {
  if (!has_type("i32")) return;
  std::vector<std::string> names{"seq"};
  if (options().has_device) names.push_back("cuda_tiled");
  for (const std::string& policy : names) {
    for (const std::size_t n : sizes_or({512 * 512})) {
      const std::string problem_name = "queries/" + policy + "/i32/grid/" + std::to_string(n) + '/';
      // Adds a query of the graph, and of its hierarchy.
      const auto add_query = [&](const std::string& name, const std::vector<rival>& rivals,
                                 const std::function<outcome(const queried_grid&)>& run) {
        const std::string full = problem_name + name;
        add(full, rivals, [=] { return run({n, false}); });
        add(full + "/prepared", {{"x_graph", full}}, [=] {
          hierarchy_of(n);
          return run({n, true});
        });
      };
      const std::size_t side = rows_of_grid(n);
      for (const std::size_t parts : {32, 8, 4, 2, 1}) {
        const std::size_t part = side / parts;
        if (part == 0) continue;
        const auto sources = vertices_within(n, part, table_side, 1);
        const auto targets = vertices_within(n, part, table_side, 2);
        const std::string rows = "rows_" + std::to_string(part);
        add(problem_name + rows, {}, [=] { return run_rows(policy, n, sources, targets); });
        add_query("table_" + std::to_string(part), {{"x_rows", problem_name + rows}},
                  [=](const queried_grid& queried) {
                    return run_table(policy, queried, sources, targets);
                  });
      }
      const std::size_t middle = side / 2 * (n / side) + n / side / 2;
      add_query("pair", {}, [=](const queried_grid& queried) {
        return run_table(policy, queried, {middle}, {middle + std::min<std::size_t>(16, side / 4)});
      });
      add_query("row_with_predecessors", {},
                [=](const queried_grid& queried) { return run_row(policy, queried, middle); });
      const auto sources = vertices_within(n, side, many_sources, 3);
      add_query("nearest", {},
                [=](const queried_grid& queried) { return run_nearest(policy, queried, sources); });
      // The weights are up to n.
      for (const int factor : {1, 3, 10}) {
        add_query("within_" + std::to_string(factor) + 'n', {}, [=](const queried_grid& queried) {
          return run_within(policy, queried, sources, static_cast<std::int32_t>(n) * factor);
        });
      }
    }
  }
}

}  // namespace bench
