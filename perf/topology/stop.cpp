// SPDX-License-Identifier: BSL-1.0
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "../command_line.hpp"
#include "graphs.hpp"
#include "problem.hpp"
#include "runs.hpp"

namespace topology {

void run_stop(const settings& s, csv_file& csv, bool has_device) {
  const std::string& topology = s.topologies.front();
  const auto graph = make_graph<std::int32_t>(topology, s.stop_size, s.seed);
  const std::size_t n = graph.num_vertices();
  apsp::matrix<std::int32_t> distances(n);
  const problem<std::int32_t> p{graph, nullptr, distances, nullptr};
  csv.line("topology", "n", "m", "type", "algorithm", "policy", "requested_after_seconds",
           "outcome", "seconds_to_return");
  std::printf("%s, %zu vertices, %zu arcs\n", topology.c_str(), n, graph.num_edges());
  std::printf("%-14s %-10s %13s %14s\n", "algorithm", "policy", "requested (s)", "return (ms)");
  const entry entries[] = {{apsp::algorithm::bellman_ford, apsp::backend::cuda_tiled},
                           {apsp::algorithm::dijkstra, apsp::backend::cuda_tiled},
                           {apsp::algorithm::floyd_warshall, apsp::backend::cuda_tiled},
                           {apsp::algorithm::bellman_ford, apsp::backend::omp},
                           {apsp::algorithm::dijkstra, apsp::backend::omp},
                           {apsp::algorithm::floyd_warshall, apsp::backend::omp}};
  // The first delay comes twice, since the first call warms up.
  std::vector<double> delays{0};
  for (const auto& delay : s.stop_after) delays.push_back(command_line::to_number<double>(delay));
  if (delays.size() > 1) delays.front() = delays[1];
  for (const entry& e : entries) {
    if (needs_device(e.policy) && !has_device) continue;
    for (std::size_t k = 0; k < delays.size(); ++k) {
      using clock = std::chrono::steady_clock;
      using seconds = std::chrono::duration<double>;
      std::stop_source stop;
      clock::time_point requested;
      std::thread asker([&] {
        std::this_thread::sleep_for(seconds(delays[k]));
        requested = clock::now();
        stop.request_stop();
      });
      bool stopped = false;
      clock::time_point returned;
      std::exception_ptr failure;
      try {
        const apsp::result done =
            needs_device(e.policy)
                ? solve(apsp::cuda_tiled.required().stop(stop.get_token()), e.algorithm, p)
                : solve(apsp::omp.stop(stop.get_token()), e.algorithm, p);
        returned = clock::now();
        stopped = done.stopped();
      } catch (...) {
        failure = std::current_exception();
      }
      asker.join();
      if (failure) std::rethrow_exception(failure);
      if (k == 0) continue;
      const double to_return = seconds(returned - requested).count();
      // A call that was done by then has no time to its return.
      const std::string shown = stopped ? text(to_return * 1e3, "%.3f") : "ended before";
      std::printf("%-14s %-10s %13g %14s\n", e.algorithm_name().c_str(), e.policy_name().c_str(),
                  delays[k], shown.c_str());
      std::fflush(stdout);
      csv.line(topology, n, graph.num_edges(), "i32", e.algorithm_name(), e.policy_name(),
               delays[k], stopped ? "stopped" : "ended_before", stopped ? text(to_return) : "");
    }
  }
}

}  // namespace topology
