// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/unreachable.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "generators.hpp"

// Checks of results, also against rows of distances computed by Boost.Graph.
namespace checks {

/// The relative tolerance of two lengths of one path. Each solver may add the weights in a
/// different order, so floating-point results differ by rounding. Integers must be equal.
template <class W>
inline constexpr double tolerance =
    std::is_integral_v<W> ? 0 : (std::is_same_v<W, float> ? 1e-4 : 1e-11);

/// How far two lengths of one path may differ. @p scale is the largest weight: if weights of both
/// signs cancel, the rounding error is relative to it and not to the sum.
struct rounding {
  double relative = 0;
  double scale = 0;

  template <class W>
  bool is_same(W a, W b) const {
    if (a == b) return true;
    if (relative == 0 || a == apsp::unreachable<W> || b == apsp::unreachable<W>) return false;
    const double x = static_cast<double>(a);
    const double y = static_cast<double>(b);
    return std::abs(x - y) <= relative * std::max({std::abs(x), std::abs(y), scale});
  }
};

/// Returns the first vertex whose predecessor is not the source of the last arc of a shortest path,
/// given the distances from @p source.
template <class W>
std::optional<std::size_t> first_wrong_predecessor(const apsp_perf::csr_arrays<W>& g,
                                                   std::size_t source, const W* distances,
                                                   const std::int32_t* predecessors,
                                                   const rounding& r) {
  std::vector<char> is_last_hop(g.num_vertices());
  apsp_perf::for_each_arc(g, [&](std::size_t u, std::size_t v, W w) {
    if (!std::cmp_equal(predecessors[v], u) || distances[u] == apsp::unreachable<W>) return;
    if (w == apsp::unreachable<W>) return;
    if (r.is_same(static_cast<W>(distances[u] + w), distances[v])) is_last_hop[v] = 1;
  });
  for (std::size_t v = 0; v < is_last_hop.size(); ++v) {
    const bool has_one = predecessors[v] != apsp::no_predecessor<std::int32_t>;
    const bool should_have_one = v != source && distances[v] != apsp::unreachable<W>;
    if (has_one != should_have_one || (has_one && is_last_hop[v] == 0)) return v;
  }
  return std::nullopt;
}

enum class verdict { not_checked, right, wrong };

inline const char* to_text(verdict v) {
  return v == verdict::right ? "yes" : v == verdict::wrong ? "NO" : "not";
}

/// Returns the vertices i n / @p count. They are contained in the list for any multiple of @p
/// count, so parts of different sizes have common rows.
inline std::vector<std::int32_t> spread_sources(std::size_t n, std::size_t count) {
  std::vector<std::int32_t> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::int32_t>(i * n / count);
  return sources;
}

/// Distances from a few vertices, by Boost.Graph's Dijkstra, or its Bellman–Ford if there are
/// negative weights. All weights must be integers, or all of them halves, whatever their type.
class known_rows {
 public:
  /// @throws std::runtime_error if the graph has a negative cycle.
  template <class W>
  explicit known_rows(const apsp_perf::csr_arrays<W>& g, std::size_t count = 8);

  const std::vector<std::size_t>& sources() const { return sources_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  /// The time of Boost.Graph per source.
  double seconds_per_source() const { return seconds_per_source_; }

  /// Compares the rows of @p distances, which belong to @p sources: bit for bit, unless the largest
  /// distance exceeds the halves that W represents exactly.
  template <class W>
  verdict check(const std::vector<std::int32_t>& sources, const apsp::matrix<W>& distances) const;
  /// Checks that every predecessor is the source of the last arc of a shortest path.
  template <class W>
  verdict check_predecessors(const apsp_perf::csr_arrays<W>& g,
                             const std::vector<std::int32_t>& sources,
                             const apsp::matrix<std::int32_t>& predecessors) const;
  /// True if all sums on the paths are exact in W.
  template <class W>
  bool is_exact() const;

 private:
  // Calls is_right(known, i) for the rows i whose sources are known.
  template <class IsRight>
  verdict check_rows(const std::vector<std::int32_t>& sources, IsRight is_right) const;
  // A known row in the type of the results.
  template <class W>
  std::vector<W> row_of(std::size_t known) const;
  template <class W>
  rounding allowed() const;

  std::vector<std::size_t> sources_;
  std::vector<std::vector<double>> rows_;  // infinity without a path
  double farthest_ = 0;
  double seconds_per_source_ = 0;
};

}  // namespace checks
