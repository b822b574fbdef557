// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/bellman_ford.hpp>
#include <apsp/dijkstra.hpp>
#include <apsp/floyd_warshall.hpp>
#include <apsp/johnson.hpp>
#include <apsp/matrix.hpp>
#include <apsp/policy.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../device_program.hpp"
#include "../generators.hpp"
#include "../source_checks.hpp"
#include "../timing.hpp"

// What is solved, and by which algorithm under which policy.
namespace topology {

inline bool needs_device(apsp::backend b) {
  return b == apsp::backend::cuda_naive || b == apsp::backend::cuda_tiled;
}

using vertex_list = std::vector<std::int32_t>;
using vertex_matrix = apsp::matrix<std::int32_t>;

using source_checks::spread_sources;

// Without a list of sources it is all pairs.
template <class W>
struct problem {
  const apsp_perf::csr_arrays<W>& graph;
  const vertex_list* sources;
  apsp::matrix<W>& distances;
  vertex_matrix* predecessors;
};

template <class W, class Policy>
apsp::result solve(const Policy& policy, apsp::algorithm algorithm, const problem<W>& p) {
  const auto graph = p.graph.view();
  const auto per_source = [&](auto call) {
    if (p.sources != nullptr && p.predecessors != nullptr) {
      return call(*p.sources, p.distances, *p.predecessors);
    }
    if (p.sources != nullptr) return call(*p.sources, p.distances);
    if (p.predecessors != nullptr) return call(p.distances, *p.predecessors);
    return call(p.distances);
  };
  switch (algorithm) {
    case apsp::algorithm::dijkstra:
      return per_source([&](auto&... a) { return apsp::dijkstra(policy, graph, a...); });
    case apsp::algorithm::bellman_ford:
      return per_source([&](auto&... a) { return apsp::bellman_ford(policy, graph, a...); });
    case apsp::algorithm::johnson:
      return per_source([&](auto&... a) { return apsp::johnson(policy, graph, a...); });
    default:
      if (p.predecessors == nullptr) return apsp::floyd_warshall(policy, graph, p.distances);
      return apsp::floyd_warshall(policy, graph, p.distances, *p.predecessors);
  }
}

// What one line of the table is about.
struct entry {
  apsp::algorithm algorithm;
  apsp::backend policy;
  apsp::relaxations strategy = apsp::relaxations::scatter_and_check;
  std::string strategy_name{};

  std::string algorithm_name() const { return std::string(apsp::to_string(algorithm)); }
  std::string policy_name() const { return std::string(apsp::to_string(policy)); }
  bool is_reference() const {
    return algorithm == apsp::algorithm::dijkstra && policy == apsp::backend::omp;
  }
};

// The policies as one table, since their types differ.
template <class W>
using solver = std::function<apsp::result(const entry&, const problem<W>&)>;

template <class W>
solver<W> solver_for(apsp::backend policy) {
  switch (policy) {
    case apsp::backend::seq:
      return [](const entry& e, const problem<W>& p) { return solve(apsp::seq, e.algorithm, p); };
    case apsp::backend::omp:
      return [](const entry& e, const problem<W>& p) { return solve(apsp::omp, e.algorithm, p); };
    case apsp::backend::cuda_naive:
      return [](const entry& e, const problem<W>& p) {
        return solve(apsp::cuda_naive.required().relax({e.strategy}), e.algorithm, p);
      };
    default:
      return [](const entry& e, const problem<W>& p) {
        return solve(apsp::cuda_tiled.required(), e.algorithm, p);
      };
  }
}

template <class W>
double time_call(const entry& e, const problem<W>& p) {
  const solver<W> call = solver_for<W>(e.policy);
  return timing::seconds_of([&] { device_program::require_solved(call(e, p), e.policy_name()); });
}

}  // namespace topology
