// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators.hpp"

// Whether results are right: rows of distances that another library than ours has found.
namespace checks {

enum class verdict { not_checked, right, wrong };

inline const char* to_text(verdict v) {
  return v == verdict::right ? "yes" : v == verdict::wrong ? "NO" : "not";
}

/// Vertices i n / @p count. Those of a short list are in a list of a multiple of its length, too, so parts
/// of different sizes have rows in common.
inline std::vector<std::int32_t> spread_sources(std::size_t n, std::size_t count) {
  std::vector<std::int32_t> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::int32_t>(i * n / count);
  return sources;
}

/// The distances from a few vertices, by Boost.Graph's Dijkstra, or its Bellman–Ford where a weight is
/// negative. All weights must be integers, whatever their type.
class known_rows {
 public:
  /// @throws std::runtime_error if the graph has a negative cycle.
  template <class W>
  explicit known_rows(const apsp_perf::csr_arrays<W>& g, std::size_t count = 8);

  const std::vector<std::size_t>& sources() const { return sources_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  /// Of Boost.Graph, per source.
  double seconds_per_source() const { return seconds_per_source_; }

  /// Whether the rows of @p distances, which begin at @p sources, say the same: bit for bit, unless the
  /// farthest distance is greater than the integers that W holds exactly.
  template <class W>
  verdict check(const std::vector<std::int32_t>& sources, const apsp::matrix<W>& distances) const;
  /// The same of a matrix of all pairs.
  template <class W>
  verdict check(const apsp::matrix<W>& distances) const;
  /// Whether every predecessor is the last hop of a shortest path.
  template <class W>
  verdict check_predecessors(const apsp_perf::csr_arrays<W>& g,
                             const std::vector<std::int32_t>& sources,
                             const apsp::matrix<std::int32_t>& predecessors) const;
  /// True if all sums on the way to a distance of type W are exact.
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
  std::vector<std::vector<double>> rows_;  // infinity where there is no path
  double farthest_ = 0;
  double seconds_per_source_ = 0;
};

}  // namespace checks
