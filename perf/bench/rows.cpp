// SPDX-License-Identifier: BSL-1.0
// Cases rows/policy/i32/grid/n/output: rows passed to a function, compared with a matrix of them; 4GiB is
// the memory_limit of the policy. Cases stop/policy/i32/random/n/algorithm/after: the time from a stop
// request to the return of the call.
#include <algorithm>
#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/for_each_row.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
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

/// @p solve_rows(f) passes each row to f; @p solve_matrix() computes a matrix of them.
template <class SolveRows, class SolveMatrix>
outcome run_rows(problem<std::int32_t>& p, const std::string& policy_name,
                 const std::string& output, SolveRows solve_rows, SolveMatrix solve_matrix) {
  std::vector<std::uint64_t> sums(p.n());
  std::size_t num_rows = 0;
  const auto look = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += row[source] == 0 ? 1 : 0;
  };
  const auto add_up = [&](std::size_t source, std::span<const std::int32_t> row) {
    num_rows += 1;
    sums[source] = checksum(row);
  };
  const auto call = [&] {
    num_rows = 0;
    const auto [done, seconds] = timing::timed([&] {
      return output == "matrix" ? solve_matrix()
             : output == "rows" ? solve_rows(look)
                                : solve_rows(add_up);
    });
    device_program::require_solved(done, policy_name);
    require(output == "matrix" || num_rows == p.sources.size(), "rows that are missing");
    return seconds;
  };
  const outcome o =
      measure({.call = call, .unit = "sources", .work = static_cast<double>(p.sources.size())});
  if (output == "matrix") p.check(p.distances);
  if (output == "rows_added_up") {
    device_program::require_solved(solve_matrix(), policy_name);
    p.check(p.distances);
    for (std::size_t i = 0; i < p.sources.size(); ++i) {
      require(sums[static_cast<std::size_t>(p.sources[i])] == checksum({p.distances[i], p.n()}),
              "rows that differ from those of the matrix");
    }
  }
  return o;
}

outcome run_rows(const std::string& policy_name, const std::string& output, bool is_limited,
                 std::size_t n) {
  using namespace apsp::literals;
  auto& p = problem_of<std::int32_t>("i32", "grid", n);
  p.set_sources(options().sources == 0 ? 4096 : options().sources, false);
  const auto graph = p.graph.view();
  if (policy_name == "omp") {
    // This is the algorithm that for_each_row chooses on the host.
    return run_rows(
        p, policy_name, output,
        [&](auto f) { return apsp::for_each_row(apsp::omp, graph, p.sources, f); },
        [&] { return apsp::dijkstra(apsp::omp, graph, p.sources, p.distances); });
  }
  const auto unlimited = apsp::cuda_tiled.required();
  const auto policy = is_limited ? unlimited.memory_limit(4_GiB) : unlimited;
  return run_rows(
      p, policy_name, output,
      [&](auto f) { return apsp::for_each_row(policy, graph, p.sources, f); },
      [&] { return apsp::bellman_ford(policy, graph, p.sources, p.distances); });
}

template <class Policy>
apsp::result solve(const Policy& policy, const std::string& algorithm, problem<std::int32_t>& p) {
  const auto graph = p.graph.view();
  if (algorithm == "dijkstra") return apsp::dijkstra(policy, graph, p.distances);
  if (algorithm == "bellman_ford") return apsp::bellman_ford(policy, graph, p.distances);
  return apsp::floyd_warshall(policy, graph, p.distances);
}

/// Requests a stop @p delay seconds after the start of a call.
/// @return seconds from the request to the return of the call; < 0 if the call had already returned.
double seconds_to_return(const std::string& policy_name, const std::string& algorithm, double delay,
                         problem<std::int32_t>& p) {
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  std::stop_source stop;
  clock::time_point requested;
  std::jthread asker([&] {
    std::this_thread::sleep_for(seconds(delay));
    requested = clock::now();
    stop.request_stop();
  });
  const apsp::result done = device_program::with_policy(policy_name, [&](const auto& policy) {
    return solve(policy.stop(stop.get_token()), algorithm, p);
  });
  const clock::time_point returned = clock::now();
  asker.join();
  return done.stopped() ? seconds(returned - requested).count() : -1;
}

outcome run_stop(const std::string& policy_name, const std::string& algorithm, double delay,
                 std::size_t n) {
  auto& p = problem_of<std::int32_t>("i32", "random", n);
  p.set_sources(0, false);
  seconds_to_return(policy_name, algorithm, delay, p);
  const double to_return = seconds_to_return(policy_name, algorithm, delay, p);
  // There is no time if the call returned before the request.
  return {.seconds = {std::max(0.0, to_return)}, .counters = {{"stopped", to_return < 0 ? 0 : 1}}};
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

void add_stops() {
  if (!has_type("i32")) return;
  std::vector<std::string> all{"omp"};
  if (options().has_device) all.push_back("cuda_tiled");
  for (const std::size_t n : sizes_or({32768})) {
    for (const std::string& policy : all) {
      for (const char* algorithm : {"bellman_ford", "dijkstra", "floyd_warshall"}) {
        for (const char* delay : {"0.1", "0.2", "0.4"}) {
          add("stop/" + policy + "/i32/random/" + std::to_string(n) + '/' + algorithm +
                  "/after:" + delay,
              {}, [=] { return run_stop(policy, algorithm, std::stod(delay), n); });
        }
      }
    }
  }
}

}  // namespace bench
