// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "generators.hpp"
#include "machine.hpp"

// A graph with its results, and the algorithms that solve it, by name.
namespace apsp_perf {

/// A graph, sources, memory for their results, and known distances.
template <class W>
struct problem {
  problem(csr_arrays<W> g, std::size_t num_known) : graph(std::move(g)), known(graph, num_known) {}

  const csr_arrays<W> graph;
  const checks::known_rows known;
  std::vector<std::int32_t> sources;
  apsp::matrix<W> distances;
  apsp::matrix<std::int32_t> predecessors;

  std::size_t n() const { return graph.num_vertices(); }

  /// Allocates the rows of that many vertices, spread over the graph.
  /// @throws apsp_perf::no_memory if those of all vertices exceed the free memory.
  void set_sources(std::size_t count, bool with_predecessors) {
    if (sources.size() != count) {
      // First frees the old rows: both may need too much memory.
      distances = {};
      predecessors = {};
      if (count == n()) apsp_perf::require_memory(n(), sizeof(W));
      sources = checks::spread_sources(n(), count);
      distances = apsp::matrix<W>(count, n());
    }
    if (with_predecessors && predecessors.rows() != count) {
      if (count == n()) apsp_perf::require_memory(n(), sizeof(std::int32_t));
      predecessors = apsp::matrix<std::int32_t>(count, n());
    }
  }
  /// Overwrites results, so that an earlier result is not taken for that of the next call.
  void overwrite() {
    std::fill(distances.begin(), distances.end(), static_cast<W>(-1));
    std::fill(predecessors.begin(), predecessors.end(), -2);
  }
};

struct solver {
  std::string algorithm;
  std::string policy;  ///< a name for device_program::with_policy, or "boost"
  bool with_predecessors = false;

  bool has_sources() const {
    return algorithm == "dijkstra" || algorithm == "bellman_ford" || algorithm == "johnson" ||
           algorithm == "elimination" || algorithm == "breadth_first_search";
  }
};

/// Solves @p p, for its sources if the algorithm has sources.
/// @return seconds of the call.
/// @throws std::runtime_error if it finds a negative cycle or falls back.
template <class W>
double seconds_of(const solver& s, problem<W>& p);

}  // namespace apsp_perf
