// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <apsp/for_each_row.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../generators.hpp"
#include "../timing.hpp"
#include "check.hpp"
#include "problem.hpp"
#include "runs.hpp"

namespace topology {
namespace {

// Tells rows apart in which two entries are exchanged.
std::uint64_t checksum(std::span<const std::int32_t> row) {
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < row.size(); ++v) {
    sum += static_cast<std::uint64_t>(row[v]) * (2 * std::uint64_t{v} + 1);
  }
  return sum;
}

}  // namespace

bool run_rows(const settings& s, csv_file& csv, bool has_device) {
  using namespace apsp::literals;
  using row_function = std::function<void(std::size_t, std::span<const std::int32_t>)>;
  const std::size_t n = s.rows_side * s.rows_side;
  apsp_perf::require_vertex_count(n);
  const auto graph = apsp_perf::grid_graph<std::int32_t>(s.rows_side, s.rows_side,
                                                         static_cast<std::int32_t>(n), s.seed);
  const vertex_list sources = spread_sources(n, std::min(n, s.rows_sources));
  apsp::matrix<std::int32_t> distances(sources.size(), n);
  const problem<std::int32_t> p{graph, &sources, distances, nullptr};
  const auto unlimited = apsp::cuda_tiled.required();
  const auto limited = unlimited.memory_limit(4_GiB);
  const auto rows = [&](const row_function& f) {
    return has_device ? apsp::for_each_row(limited, graph.view(), sources, f)
                      : apsp::for_each_row(apsp::omp, graph.view(), sources, f);
  };
  std::vector<std::uint64_t> sums(n);
  std::size_t num_rows = 0;
  const row_function look = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += row[source] == 0 ? 1 : 0;
  };
  const row_function add_up = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += 1;
    sums[source] = checksum(row);
  };

  struct variant {
    std::string name;
    std::function<apsp::result()> call;
    bool gives_rows;
    std::vector<double> times{};
  };
  // Without a device the algorithm is the one that for_each_row runs there.
  std::vector<variant> variants;
  if (has_device) {
    const auto algorithm = apsp::algorithm::bellman_ford;
    variants.push_back(
        {"matrix", [&, algorithm] { return solve(unlimited, algorithm, p); }, false});
    variants.push_back(
        {"matrix_4GiB", [&, algorithm] { return solve(limited, algorithm, p); }, false});
  } else {
    const auto algorithm = apsp::algorithm::dijkstra;
    variants.push_back(
        {"matrix", [&, algorithm] { return solve(apsp::omp, algorithm, p); }, false});
  }
  const std::string suffix = has_device ? "_4GiB" : "";
  variants.push_back({"rows" + suffix, [&] { return rows(look); }, true});
  variants.push_back({"rows_added_up" + suffix, [&] { return rows(add_up); }, true});

  bool right = true;
  // One after the other in every round, so that all meet the same machine; the first round warms up.
  for (int round = 0; round <= s.repeat; ++round) {
    for (variant& v : variants) {
      num_rows = 0;
      const double elapsed = timing::seconds_of([&] {
        if (!v.call()) throw std::runtime_error("a negative cycle in a graph that has none");
      });
      if (round > 0) v.times.push_back(elapsed);
      if (v.gives_rows && num_rows != sources.size()) right = false;
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::uint64_t of_matrix = checksum({distances[i], n});
    if (sums[static_cast<std::size_t>(sources[i])] != of_matrix) right = false;
  }

  csv.line("topology", "n", "m", "type", "policy", "output", "sources", "repeats", "seconds",
           "sources_per_second", "speed_over_matrix", "checked");
  std::printf("grid of %zu x %zu, %zu vertices, %zu arcs, %zu sources, %s\n", s.rows_side,
              s.rows_side, n, graph.num_edges(), sources.size(), has_device ? "cuda_tiled" : "omp");
  std::printf("%-20s %10s %10s %9s %s\n", "output", "seconds", "sources/s", "x matrix", "checked");
  const double of_matrix = timing::upper_median(variants.front().times);
  for (const variant& v : variants) {
    const double time = timing::upper_median(v.times);
    const double rate = static_cast<double>(sources.size()) / time;
    const char* const checked = to_text(right ? verdict::right : verdict::wrong);
    std::printf("%-20s %10.4f %10.1f %9.3f %s\n", v.name.c_str(), time, rate, of_matrix / time,
                checked);
    csv.line("grid", n, graph.num_edges(), "i32", has_device ? "cuda_tiled" : "omp", v.name,
             sources.size(), s.repeat, time, rate, of_matrix / time, checked);
  }
  return right;
}

}  // namespace topology
