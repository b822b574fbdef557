// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/csr.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// Seeded graphs that are the same on every machine: the standard library's engines are specified to
// the bit, its distributions are not, so numbers are mapped here.
namespace apsp_perf {

/// A directed graph in compressed sparse rows that owns its arrays.
template <class W>
struct csr_arrays {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> targets;
  std::vector<W> weights;

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::size_t num_edges() const { return targets.size(); }
  auto view() const { return apsp::csr_view(offsets, targets, weights); }

  /// Adds an arc that leaves the last vertex.
  void add(std::size_t target, W weight) {
    targets.push_back(static_cast<std::int32_t>(target));
    weights.push_back(weight);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(targets.size())); }
};

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {}

  /// Nearly uniform in [1, @p largest].
  std::int32_t weight(std::int32_t largest) {
    return 1 + static_cast<std::int32_t>(engine_() % static_cast<std::uint64_t>(largest));
  }
  /// Nearly uniform in [0, @p n).
  std::size_t index(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  /// True with probability @p p.
  bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }

 private:
  std::mt19937_64 engine_;
};

inline void require_vertex_count(std::size_t n) {
  if (n > static_cast<std::size_t>((std::numeric_limits<std::int32_t>::max)())) {
    throw std::length_error("a graph of " + std::to_string(n) + " vertices is too large");
  }
}

/// Every arc between two vertices with probability @p p; weights in [1, @p largest_weight].
template <class W>
csr_arrays<W> gnp_graph(std::size_t n, double p, std::int32_t largest_weight, std::uint64_t seed) {
  require_vertex_count(n);
  random_numbers random(seed);
  csr_arrays<W> g;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      if (u != v && random.chance(p)) g.add(v, static_cast<W>(random.weight(largest_weight)));
    }
    g.end_row();
  }
  return g;
}

/// @p degree arcs from every vertex to random ones; weights in [1, @p largest_weight].
template <class W>
csr_arrays<W> fixed_degree_graph(std::size_t n, std::size_t degree, std::int32_t largest_weight,
                                 std::uint64_t seed) {
  require_vertex_count(n);
  random_numbers random(seed);
  csr_arrays<W> g;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t k = 0; k < degree; ++k) {
      const std::size_t v = random.index(n);
      g.add(v, static_cast<W>(random.weight(largest_weight)));
    }
    g.end_row();
  }
  return g;
}

/// Rows x columns vertices, each joined with its neighbours to the right and below, both ways and
/// with one weight in [1, @p largest_weight].
template <class W>
csr_arrays<W> grid_graph(std::size_t rows, std::size_t columns, std::int32_t largest_weight,
                         std::uint64_t seed) {
  if (columns != 0) {
    require_vertex_count(rows);
    require_vertex_count(columns);
    require_vertex_count(rows * columns);
  }
  random_numbers random(seed);
  std::vector<W> to_right(rows * columns);
  std::vector<W> to_below(rows * columns);
  for (auto& w : to_right) w = static_cast<W>(random.weight(largest_weight));
  for (auto& w : to_below) w = static_cast<W>(random.weight(largest_weight));
  csr_arrays<W> g;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t u = i * columns + j;
      if (i > 0) g.add(u - columns, to_below[u - columns]);
      if (j > 0) g.add(u - 1, to_right[u - 1]);
      if (j + 1 < columns) g.add(u + 1, to_right[u]);
      if (i + 1 < rows) g.add(u + columns, to_below[u]);
      g.end_row();
    }
  }
  return g;
}

}  // namespace apsp_perf
