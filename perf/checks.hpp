// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators.hpp"

// Checks of results against rows of distances computed by Boost.Graph.
namespace checks {

enum class verdict { not_checked, right, wrong };

inline const char* to_text(verdict v) {
  return v == verdict::right ? "yes" : v == verdict::wrong ? "NO" : "not";
}

/// Returns the vertices i n / @p count. They are contained in the list for any multiple of @p count, so
/// parts of different sizes have common rows.
inline std::vector<std::int32_t> spread_sources(std::size_t n, std::size_t count) {
  std::vector<std::int32_t> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::int32_t>(i * n / count);
  return sources;
}

/// Distances from a few vertices, by Boost.Graph's Dijkstra, or its Bellman–Ford if there are negative
/// weights. All weights must be integers, whatever their type.
class known_rows {
 public:
  /// @throws std::runtime_error if the graph has a negative cycle.
  template <class W>
  explicit known_rows(const apsp_perf::csr_arrays<W>& g, std::size_t count = 8);

  const std::vector<std::size_t>& sources() const { return sources_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  /// The time of Boost.Graph per source.
  double seconds_per_source() const { return seconds_per_source_; }

  /// Compares the rows of @p distances, which belong to @p sources: bit for bit, unless the largest distance
  /// exceeds the integers that W represents exactly.
  template <class W>
  verdict check(const std::vector<std::int32_t>& sources, const apsp::matrix<W>& distances) const;
  /// The same for a matrix of all pairs.
  template <class W>
  verdict check(const apsp::matrix<W>& distances) const;
  /// Checks that every predecessor is the source of the last arc of a shortest path.
  template <class W>
  verdict check_predecessors(const apsp_perf::csr_arrays<W>& g,
                             const std::vector<std::int32_t>& sources,
                             const apsp::matrix<std::int32_t>& predecessors) const;
  /// True if all sums on the paths are exact in W.
  template <class W>
  bool is_exact() const;

 private:
  template <class W>
  bool is_row(std::size_t known, const W* row) const;
  template <class W>
  bool are_last_hops(std::size_t known, const apsp_perf::csr_arrays<W>& g,
                     const std::int32_t* predecessors) const;
  // Calls is_right(known, i) for the rows i whose sources are known.
  template <class IsRight>
  verdict check_rows(const std::vector<std::int32_t>& sources, IsRight is_right) const;

  std::vector<std::size_t> sources_;
  std::vector<std::vector<double>> rows_;  // infinity without a path
  double farthest_ = 0;
  double seconds_per_source_ = 0;
};

}  // namespace checks
