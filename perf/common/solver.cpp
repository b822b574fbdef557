// SPDX-License-Identifier: BSL-1.0
#include "solver.hpp"

#include <apsp/apsp.hpp>

#include "../rivals/boost_solvers.hpp"
#include "device_program.hpp"

namespace apsp_perf {

namespace {

template <class W, class Policy>
apsp::result solve(const Policy& policy, const solver& s, problem<W>& p) {
  const auto graph = p.graph.view();
  const auto with_output = [&](auto call) {
    return s.with_predecessors ? call(p.distances, p.predecessors) : call(p.distances);
  };
  const auto with_sources = [&](auto call) {
    if (p.sources.size() == p.n()) return with_output(call);
    return with_output([&](auto&... results) { return call(p.sources, results...); });
  };
  if (s.algorithm == "dijkstra") {
    return with_sources([&](auto&... a) { return apsp::dijkstra(policy, graph, a...); });
  }
  if (s.algorithm == "bellman_ford") {
    return with_sources([&](auto&... a) { return apsp::bellman_ford(policy, graph, a...); });
  }
  if (s.algorithm == "johnson") {
    return with_sources([&](auto&... a) { return apsp::johnson(policy, graph, a...); });
  }
  if (s.algorithm == "elimination") {
    return with_sources([&](auto&... a) { return apsp::elimination(policy, graph, a...); });
  }
  if (s.algorithm == "breadth_first_search") {
    return with_sources(
        [&](auto&... a) { return apsp::breadth_first_search(policy, graph, a...); });
  }
  if (s.algorithm == "repeated_squaring") {
    return with_output([&](auto&... a) { return apsp::repeated_squaring(policy, graph, a...); });
  }
  return with_output([&](auto&... a) { return apsp::floyd_warshall(policy, graph, a...); });
}

}  // namespace

template <class W>
double seconds_of(const solver& s, problem<W>& p) {
  if (s.policy != "boost") {
    return device_program::seconds_of_solve(
        s.policy, [&](const auto& policy) { return solve(policy, s, p); });
  }
  if (s.algorithm == "johnson") return boost_solvers::johnson(p.graph, p.distances);
  const double seconds = boost_solvers::floyd_warshall(p.graph, p.distances);
  if (seconds < 0) throw std::runtime_error("Boost.Graph finds a negative cycle");
  return seconds;
}

template double seconds_of(const solver&, problem<float>&);
template double seconds_of(const solver&, problem<double>&);
template double seconds_of(const solver&, problem<std::int32_t>&);
template double seconds_of(const solver&, problem<std::int64_t>&);

}  // namespace apsp_perf
