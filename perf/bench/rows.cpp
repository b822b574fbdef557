// SPDX-License-Identifier: BSL-1.0
// Cases rows/policy/i32/grid/n/output: rows passed to a function, compared with a matrix of them;
// 4GiB is the memory_limit of the policy.
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

// The checksum changes if two entries are exchanged.
std::uint64_t checksum(std::span<const std::int32_t> row) {
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < row.size(); ++v) {
    sum += static_cast<std::uint64_t>(row[v]) * (2 * std::uint64_t{v} + 1);
  }
  return sum;
}

outcome run_rows(const std::string& policy_name, const std::string& output, bool is_limited,
                 std::size_t n) {
  using namespace apsp::literals;
  auto& p = problem_of<std::int32_t>("i32", "grid", n);
  p.set_sources(options().sources == 0 ? 4096 : options().sources, false);
  const auto graph = p.graph.view();
  std::vector<std::uint64_t> sums(p.n());
  std::size_t num_rows = 0;
  const auto look = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += row[source] == 0 ? 1 : 0;
  };
  const auto add_up = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += 1;
    sums[source] = checksum(row);
  };
  const auto solve = [&](const std::string& wanted) {
    return seconds_of_solve(policy_name, [&](auto policy) {
      if constexpr (requires { policy.memory_limit(4_GiB); }) {
        if (is_limited) policy = policy.memory_limit(4_GiB);
      }
      if (wanted == "rows") return apsp::for_each_row(policy, graph, p.sources, look);
      if (wanted == "rows_added_up") return apsp::for_each_row(policy, graph, p.sources, add_up);
      // By searches, whatever for_each_row chooses.
      if (policy_name == "omp") return apsp::dijkstra(policy, graph, p.sources, p.distances);
      return apsp::bellman_ford(policy, graph, p.sources, p.distances);
    });
  };
  const auto call = [&] {
    num_rows = 0;
    const double seconds = solve(output);
    require(output == "matrix" || num_rows == p.sources.size(), "rows that are missing");
    return seconds;
  };
  const outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(p.sources.size())});
  if (output == "matrix") p.check(p.distances);
  if (output == "rows_added_up") {
    solve("matrix");
    p.check(p.distances);
    for (std::size_t i = 0; i < p.sources.size(); ++i) {
      require(sums[static_cast<std::size_t>(p.sources[i])] == checksum({p.distances[i], p.n()}),
              "rows that differ from those of the matrix");
    }
  }
  return o;
}

}  // namespace

void add_rows() {
  if (!has_type("i32")) return;
  const std::string policy = options().has_device ? "cuda_tiled" : "omp";
  for (const std::size_t n : sizes_or({512 * 512})) {
    const std::string problem_name = "rows/" + policy + "/i32/grid/" + std::to_string(n) + '/';
    const auto add_case = [&](const std::string& output, bool is_limited) {
      add(problem_name + output + (is_limited ? "_4GiB" : ""),
          {{"x_matrix", problem_name + "matrix"}},
          [=] { return run_rows(policy, output, is_limited, n); });
    };
    const bool is_limited = options().has_device;
    add_case("matrix", false);
    if (is_limited) add_case("matrix", true);
    add_case("rows", is_limited);
    add_case("rows_added_up", is_limited);
  }
}

}  // namespace bench
