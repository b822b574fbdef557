// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "../generators.hpp"

// The graphs by the names of their shapes.
namespace topology {

// Weights are integers in [1, n] under every type.
template <class W>
apsp_perf::csr_arrays<W> make_graph(const std::string& topology, std::size_t n,
                                    std::uint64_t seed) {
  constexpr std::size_t degree = 4;
  if (n < 2) throw std::runtime_error("a graph has at least two vertices here");
  apsp_perf::require_vertex_count(n);
  const auto largest_weight = static_cast<std::int32_t>(n);
  if (topology == "random") {
    return apsp_perf::fixed_degree_graph<W>(n, degree, largest_weight, seed);
  }
  if (topology == "gnp") {
    const double p = static_cast<double>(degree) / static_cast<double>(n - 1);
    return apsp_perf::gnp_graph<W>(n, std::min(1.0, p), largest_weight, seed);
  }
  if (topology == "ring") {
    return apsp_perf::ring_graph<W>(n, apsp_perf::ring_kind::both_ways, largest_weight, seed);
  }
  if (topology == "rmat") return apsp_perf::rmat_graph<W>(n, degree, largest_weight, seed);
  if (topology == "grid") {
    // The largest square or nearly one of at most n vertices.
    const auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    return apsp_perf::grid_graph<W>(rows, n / rows, largest_weight, seed);
  }
  if (topology == "complete") return apsp_perf::complete_graph<W>(n, largest_weight, seed);
  throw std::runtime_error("topology " + topology + " is unknown");
}

// The arcs between the first vertices: work for an algorithm that has no sources to choose from.
template <class W>
apsp_perf::csr_arrays<W> first_vertices(const apsp_perf::csr_arrays<W>& g, std::size_t count) {
  apsp_perf::csr_arrays<W> part;
  for (std::size_t u = 0; u < count; ++u) {
    const auto end = static_cast<std::size_t>(g.offsets[u + 1]);
    for (auto k = static_cast<std::size_t>(g.offsets[u]); k < end; ++k) {
      const auto v = static_cast<std::size_t>(g.targets[k]);
      if (v < count) part.add(v, g.weights[k]);
    }
    part.end_row();
  }
  return part;
}

}  // namespace topology
