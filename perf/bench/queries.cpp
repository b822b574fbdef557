// SPDX-License-Identifier: BSL-1.0
// Cases queries/policy/i32/grid/n/query: a table of 64 sources and 64 targets within a square of that side in
// the middle of the grid, the nearest of 1024 sources, and the distances from 1024 sources within a cutoff;
// compared with whole rows of the sources of the table.
#include <apsp/apsp.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

outcome run_table(const std::string& policy, std::size_t n, const vertex_list& sources,
                  const vertex_list& targets) {
  const auto graph = grid(n).graph.view();
  apsp::matrix<std::int32_t> table(sources.size(), targets.size());
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return apsp::distance_table(p, graph, sources, targets, table);
    });
  };
  const outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(sources.size())});
  apsp::matrix<std::int32_t> rows(1, grid(n).n());
  const vertex_list first{sources.front()};
  require(bool(apsp::dijkstra(apsp::seq, graph, first, rows)), "a row that is not solved");
  for (std::size_t j = 0; j < targets.size(); ++j) {
    require(table[0][j] == rows[0][targets[j]], "wrong distances");
  }
  return o;
}

outcome run_nearest(const std::string& policy, std::size_t n, const vertex_list& sources) {
  const auto graph = grid(n).graph.view();
  std::vector<std::int32_t> distances(grid(n).n());
  std::vector<std::int32_t> nearest(grid(n).n());
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      return apsp::nearest_sources(p, graph, sources, distances, nearest);
    });
  };
  return measure({.call = call, .unit = "vertices", .work = static_cast<double>(n)});
}

outcome run_within(const std::string& policy, std::size_t n, const vertex_list& sources,
                   std::int32_t cutoff) {
  const auto graph = grid(n).graph.view();
  double entries = 0;
  const auto call = [&] {
    return seconds_of_solve(policy, [&](const auto& p) {
      const auto near = apsp::distances_within(p, graph, cutoff, sources);
      entries = static_cast<double>(near.targets.size());
      return near.status();
    });
  };
  outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(sources.size())});
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
      const std::size_t side = rows_of_grid(n);
      for (const std::size_t parts : {32, 8, 4, 2, 1}) {
        const std::size_t part = side / parts;
        if (part == 0) continue;
        const auto sources = vertices_within(n, part, table_side, 1);
        const auto targets = vertices_within(n, part, table_side, 2);
        const std::string rows = problem_name + "rows_" + std::to_string(part);
        add(rows, {}, [=] { return run_rows(policy, n, sources, targets); });
        add(problem_name + "table_" + std::to_string(part), {{"x_rows", rows}},
            [=] { return run_table(policy, n, sources, targets); });
      }
      const auto sources = vertices_within(n, side, many_sources, 3);
      add(problem_name + "nearest", {}, [=] { return run_nearest(policy, n, sources); });
      // The weights are up to n.
      for (const int factor : {1, 3, 10}) {
        add(problem_name + "within_" + std::to_string(factor) + 'n', {},
            [=] { return run_within(policy, n, sources, static_cast<std::int32_t>(n) * factor); });
      }
    }
  }
}

}  // namespace bench
