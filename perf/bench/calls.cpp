// SPDX-License-Identifier: BSL-1.0
// Cases calls/policy/i32/random/n/call: one call of each kind, on a graph with 4 arcs per vertex.
// With few vertices their times are what a call takes besides its work. On Linux, the counter
// host_mb is the most memory that the process had during the first call, without what it had
// before: the results exist then.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cases.hpp"
#include "problem.hpp"

namespace bench {

namespace {

/// The value of a line of /proc/self/status in MB; 0 if there is none.
double status_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ':')) {
      return std::stod(line.substr(name.size() + 1)) * 1024 / 1e6;
    }
  }
  return 0;
}

/// The memory that the process takes in addition while @p call runs.
double peak_mb(const std::function<double()>& call) {
#ifdef __GLIBC__
  // Memory that was freed before would not show.
  malloc_trim(0);
#endif
  // The peak starts at the present size.
  std::ofstream("/proc/self/clear_refs") << 5;
  const double before = status_mb("VmRSS");
  call();
  return std::max(0.0, status_mb("VmHWM") - before);
}

/// The results of the calls.
struct buffers {
  explicit buffers(std::size_t n)
      : distances(n), predecessors(n), row(n), nearest(n), some(8), all(n) {
    std::iota(some.begin(), some.end(), std::size_t{0});
    std::iota(all.begin(), all.end(), std::size_t{0});
    // The system gives the pages now.
    std::fill(distances.begin(), distances.end(), 0);
    std::fill(predecessors.begin(), predecessors.end(), 0);
  }
  apsp::matrix<std::int32_t> distances;
  apsp::matrix<std::int32_t> predecessors;
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> nearest;
  std::vector<std::size_t> some;
  std::vector<std::size_t> all;
};

/// Calls f(name, call) for each kind of call; call(policy, graph, buffers) returns a result.
template <class F>
void for_each_call(F f) {
  f("floyd_warshall", [](const auto& p, const auto& g, buffers& b) {
    return apsp::floyd_warshall(p, g, b.distances);
  });
  f("floyd_warshall_with_predecessors", [](const auto& p, const auto& g, buffers& b) {
    return apsp::floyd_warshall(p, g, b.distances, b.predecessors);
  });
  f("repeated_squaring", [](const auto& p, const auto& g, buffers& b) {
    return apsp::repeated_squaring(p, g, b.distances);
  });
  f("dijkstra",
    [](const auto& p, const auto& g, buffers& b) { return apsp::dijkstra(p, g, b.distances); });
  f("bellman_ford",
    [](const auto& p, const auto& g, buffers& b) { return apsp::bellman_ford(p, g, b.distances); });
  f("johnson", [](const auto& p, const auto& g, buffers& b) {
    return apsp::johnson(p, g, b.distances, b.predecessors);
  });
  f("elimination",
    [](const auto& p, const auto& g, buffers& b) { return apsp::elimination(p, g, b.distances); });
  f("all_pairs_shortest_paths", [](const auto& p, const auto& g, buffers& b) {
    return apsp::all_pairs_shortest_paths(p, g, b.distances);
  });
  f("for_each_row", [](const auto& p, const auto& g, buffers& b) {
    return apsp::for_each_row(p, g, b.all,
                              [&](std::size_t source, auto row) { b.row[source] = row[0]; });
  });
  f("distance_table", [](const auto& p, const auto& g, buffers& b) {
    apsp::matrix<std::int32_t> table(b.some.size());
    return apsp::distance_table(p, g, b.some, b.some, table);
  });
  f("nearest_sources", [](const auto& p, const auto& g, buffers& b) {
    return apsp::nearest_sources(p, g, b.some, b.row, b.nearest);
  });
  f("summarize_paths",
    [](const auto& p, const auto& g, buffers&) { return apsp::summarize_paths(p, g).status(); });
}

auto& sparse_graph(std::size_t n) {
  return problem_of<std::int32_t>("i32", "random", n);
}

}  // namespace

void add_calls() {
  if (!has_type("i32")) return;
  std::vector<std::string> names{"seq", "omp"};
  if (options().has_device) names.push_back("cuda_tiled");
  for (const std::string& policy : names) {
    for (const std::size_t n : sizes_or({16, 1024})) {
      for_each_call([&](const std::string& name, auto call) {
        add("calls/" + policy + "/i32/random/" + std::to_string(n) + '/' + name, {}, [=] {
          const auto graph = sparse_graph(n).graph.view();
          buffers results(sparse_graph(n).n());
          const std::function<double()> run = [&] {
            return seconds_of_solve(policy, [&](const auto& p) { return call(p, graph, results); });
          };
          const double peak = peak_mb(run);
          outcome o = measure({.call = run, .unit = "calls", .work = 1, .is_warm = true});
          o.counters["host_mb"] = peak;
          return o;
        });
      });
    }
  }
}

}  // namespace bench
