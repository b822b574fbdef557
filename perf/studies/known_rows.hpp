// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <apsp/matrix.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../generators.hpp"
#include "report.hpp"

// Rows of distances that another program than ours has found, and how long that took it.
namespace studies {

using source_checks::spread_sources;

/// The distances from a few vertices, by Boost.Graph's Dijkstra.
class known_rows {
 public:
  template <class W>
  explicit known_rows(const apsp_perf::csr_arrays<W>& g);

  const std::vector<std::size_t>& sources() const { return sources_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  /// Of Boost.Graph, per source.
  double seconds_per_source() const { return seconds_per_source_; }

  /// Whether the rows of @p distances, which begin at @p sources, say the same; bit for bit, since all
  /// weights are integers and their sums are exact.
  template <class W>
  verdict check(const std::vector<std::int32_t>& sources, const apsp::matrix<W>& distances) const;
  /// The same of a matrix of all pairs.
  template <class W>
  verdict check(const apsp::matrix<W>& distances) const;

 private:
  template <class W>
  bool is_row(std::size_t known, const W* row) const;

  std::vector<std::size_t> sources_;
  std::vector<std::vector<double>> rows_;
  double seconds_per_source_ = 0;
};

}  // namespace studies
